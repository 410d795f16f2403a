import { request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import type { MailCatcher } from '@switchyard/stack/services/mail-catcher.ts'
import {
  bankBeneficiary,
  mobileMoneyPayin,
  openPayments,
  startTestPayments,
  type OrgPayments,
  type TestPayments,
} from '../../../../test/worlds/test-payments.ts'
import { startTestMail, startTestWorker, type TestWorker } from '../../../../test/app/test-worker.ts'

let mail: MailCatcher
let t: TestPayments
let worker: TestWorker
let org: OrgPayments
beforeAll(async () => {
  mail = await startTestMail()
  t = await startTestPayments({ env: { SMTP_URL: mail.smtpUrl } })
  worker = await startTestWorker(t)
  org = await openPayments(t)
})
afterAll(async () => {
  await worker.stop()
  await t.close()
  await mail.stop()
})

it('a request is mailed in the beneficiary’s language, and its link accepts the answer', async () => {
  const { user_id: sender } = (await org.call('GET', '/v1/users/me')).body.data
  const beneficiary = await org.addBeneficiary(
    bankBeneficiary({ country: 'SN', currency: 'XOF', email: 'awa@example.com', fname: 'Awa' }),
  )
  const transactionId = await org.start(
    mobileMoneyPayin({ client_reference: 'INV-7', beneficiary_id: beneficiary }),
  )
  const asked = await org.call('POST', '/v1/users/notifications/verification-request', {
    user_id: sender,
    target_type: 'beneficiary',
    transaction_id: transactionId,
    verification_type: 'nin',
    triggered_by: 'compliance',
    beneficiary_id: beneficiary,
    message: 'Merci & à bientôt <3',
  })
  const sent = () => mail.messages().find(({ to }) => to.includes('awa@example.com'))
  await waitUntil(sent, { what: 'the mail' })
  const caught = sent()
  expect(caught?.subject).toContain('demande votre NIN')
  expect(caught?.text).toContain('Bonjour Awa,')
  expect(caught?.text).toContain('INV-7')
  expect(caught?.html).toContain('Merci &amp; à bientôt &lt;3')
  const link = /http\S+\/verify\/\S+/.exec(caught?.text ?? '')?.[0] ?? ''
  expect(caught?.html).toContain(`href="${link}"`)
  const answered = await request(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'answer=12345678901',
  })
  expect(await answered.body.text()).toContain('Merci')
  const read = await org.call('GET', `/v1/users/notifications/verification-requests/${asked.body.request_id}`)
  expect(read.body.data).toMatchObject({ status: 'answered', answer: '12345678901' })
})
