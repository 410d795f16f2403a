import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  createTestClock,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const requestPath = '/v1/users/notifications/verification-request'
const listPath = '/v1/users/notifications/verification-requests'
const clock = createTestClock()
const t = usePayments({ clock })
let org: OrgPayments
let sender: string
let transactionId: string
let withMail: string
let withoutMail: string
beforeEach(async () => {
  org = await openPayments(t)
  sender = (await org.call('GET', '/v1/users/me')).body.data.user_id
  withMail = await org.addBeneficiary(bankBeneficiary({ email: 'ngozi.canary@example.com' }))
  withoutMail = await org.addBeneficiary(mobileMoneyBeneficiary())
  transactionId = await org.start(mobileMoneyPayin({ client_reference: 'INV-7', beneficiary_id: withMail }))
})

/** A request about a payment to the beneficiary who has no address. */
const toUnreachable = async (): Promise<object> => ({
  beneficiary_id: withoutMail,
  transaction_id: await org.start(mobileMoneyPayin({ beneficiary_id: withoutMail })),
})

/** A request about a payment that somebody started who has left the organisation since. */
async function byLeaver(beneficiary_id: string): Promise<object> {
  const { token, userId } = await addPerson(t, org.orgId, 'staff')
  const { body: begun } = await t.call('POST', '/v1/payments-init/initiate', {
    as: token,
    body: mobileMoneyPayin({ beneficiary_id }),
  })
  await org.call('DELETE', `/v1/organizations/${org.orgId}/members/${userId}`)
  const { payment_id: transaction_id } = begun.response
  return { user_id: userId, sender_id: userId, transaction_id, beneficiary_id }
}

const body = (change: object = {}): Json => ({
  user_id: sender,
  target_type: 'both',
  transaction_id: transactionId,
  verification_type: 'bvn',
  triggered_by: 'compliance',
  sender_id: sender,
  beneficiary_id: withMail,
  ...change,
})
const ask = (change: object = {}, as = org.credential): Promise<CallAnswer> =>
  t.call('POST', requestPath, { as, body: body(change) })

const linkOf = (requestId: string): string =>
  new URL(t.deps.links.urlOf('verification', { orgId: org.orgId, id: requestId })).pathname

const answer = (requestId: string, number: string): Promise<CallAnswer> =>
  t.call('POST', linkOf(requestId), {
    rawBody: `answer=${encodeURIComponent(number)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

async function askSender(): Promise<string> {
  return (await ask({ target_type: 'sender' })).body.request_id
}

const read = (requestId: string, as = org.credential): Promise<CallAnswer> =>
  t.call('GET', `${listPath}/${requestId}`, { as })

describe('200', () => {
  it('asks both targets and returns two results', async () => {
    const { status, body: said } = await ask()
    expect(status).toBe(200)
    expect(said).toEqual({
      status: 'success',
      message: expect.any(String),
      target_type: 'both',
      verification_type: 'bvn',
      transaction_id: transactionId,
      all_success: true,
      results: [
        expect.objectContaining({ target: 'sender', user_id: sender, status: 'sent', success: true }),
        expect.objectContaining({ target: 'beneficiary', user_id: withMail, status: 'sent', success: true }),
      ],
    })
  })

  it.each(['sender', 'beneficiary'])('asks only the %s and returns no results list', async (target_type) => {
    const { body: said } = await ask({ target_type })
    expect(said).toMatchObject({ target_type, all_success: true, request_id: expect.any(String) })
    expect(said.results).toBeUndefined()
  })

  it('the sender’s inbox shows it too, with message, priority and link', async () => {
    const requestId = (await ask({ target_type: 'sender', message: 'Hurry up, 1 < 2.', priority: 'urgent' }))
      .body.request_id
    const { body: inbox } = await org.call('GET', '/v1/users/notifications')
    expect(inbox.data[0]).toMatchObject({ template: 'verification-request', priority: 'urgent' })
    expect(inbox.data[0].body).toContain('Hurry up, 1 < 2.')
    expect(inbox.data[0].link).toContain(linkOf(requestId))
  })

  it('priority is high unless another is asked for', async () => {
    await ask({ target_type: 'sender' })
    expect((await org.call('GET', '/v1/users/notifications')).body.data[0].priority).toBe('high')
  })

  it('beneficiary data is stored sealed only; the link and the answer are not stored in clear text', async () => {
    const [, { request_id: requestId }] = (await ask()).body.results
    await answer(requestId, '22212345678')
    const token = linkOf(requestId).split('/').at(-1) ?? ''
    for (const table of ['notifications', 'outbox', 'audit_log', 'verification_requests', 'events']) {
      const { rows } = await t.owner.query(`select row_to_json(x)::text as text from ${table} x`)
      for (const secret of ['ngozi.canary', '22212345678', token])
        expect(JSON.stringify(rows)).not.toContain(secret)
    }
  })

  it('the page accepts one answer; reading it needs a permission and is audited', async () => {
    const requestId = await askSender()
    const page = await t.call('GET', linkOf(requestId))
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.text).not.toContain('<script')
    expect((await answer(requestId, '222 1234-5678')).text).toContain('Thank you')
    const first = await read(requestId)
    expect(first.body.data).toMatchObject({
      status: 'answered',
      answer: '22212345678',
      triggered_by: 'compliance',
    })
    expect((await answer(requestId, '99999999999')).text).toContain('answered already')
    expect((await t.call('GET', linkOf(requestId))).text).toContain('answered already')
    expect((await read(requestId)).body.data.answer).toBe('22212345678')
    const { body: log } = await org.call(
      'GET',
      `/v1/organizations/${org.orgId}/audit-log?action=verification.read`,
    )
    expect(log.data.map((entry: Json) => entry.resource_id)).toEqual([requestId, requestId])
  })

  it('an answer is an event without its content', async () => {
    const requestId = await askSender()
    await answer(requestId, '22212345678')
    const { rows } = await t.owner.query<{ data: string }>(
      `select data from events where org_id = $1 and event_type = 'kyc.submitted'`,
      [org.orgId],
    )
    expect(rows.map(({ data }): Json => JSON.parse(data))).toMatchObject([
      { request_id: requestId, target: 'sender', sequence: 1 },
    ])
    expect(rows[0]?.data).not.toContain('22212345678')
  })

  it('of many concurrent answers one is accepted', async () => {
    const requestId = await askSender()
    const numbers = Array.from({ length: 6 }, (_none, index) => `1111111111${index}`)
    const pages = await Promise.all(numbers.map((number) => answer(requestId, number)))
    expect(pages.filter((page) => page.text.includes('Thank you'))).toHaveLength(1)
  })

  it('anything but eleven digits is asked for again and not repeated on the page', async () => {
    const requestId = await askSender()
    for (const wrong of ['', '1234567890', '123456789012', 'elevenletters'])
      expect((await answer(requestId, wrong)).text).toContain('role="alert"')
    expect((await answer(requestId, '1234567890')).text).not.toContain('1234567890')
    expect((await read(requestId)).body.data).toMatchObject({ status: 'open', answer: null })
  })

  it('the requester is notified of the answer without its content', async () => {
    await answer(await askSender(), '22212345678')
    const { body: inbox } = await org.call('GET', '/v1/users/notifications')
    expect(inbox.data[0]).toMatchObject({ template: 'verification-answered' })
    expect(JSON.stringify(inbox)).not.toContain('22212345678')
  })

  it('the list shows who was asked, and never the answers', async () => {
    const requestId = await askSender()
    await answer(requestId, '22212345678')
    const { body: list, text } = await org.call('GET', `${listPath}?transaction_id=${transactionId}`)
    expect(list.data).toEqual([expect.objectContaining({ request_id: requestId, status: 'answered' })])
    expect(text).not.toContain('22212345678')
  })

  it('an expired link accepts no answer', async () => {
    const requestId = await askSender()
    clock.pass(8 * 24 * 60 * 60_000)
    const late = await answer(requestId, '22212345678')
    clock.pass(-8 * 24 * 60 * 60_000)
    expect(late.text).toContain('expired')
    expect((await read(requestId)).body.data.answer).toBeNull()
  })
})

describe('207', () => {
  it.each([
    ['a beneficiary without an address', () => toUnreachable(), 'beneficiary'],
    ['a sender who is no member any more', () => byLeaver(withMail), 'sender'],
  ])('%s: the other is asked all the same', async (_what, change, failing) => {
    const { status, body: said } = await ask(await change())
    expect(status).toBe(207)
    expect(said.all_success).toBe(false)
    for (const result of said.results)
      expect(result).toMatchObject(
        result.target === failing
          ? { status: 'failed', success: false, request_id: '' }
          : { status: 'sent', success: true, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      )
    const { rows } = await t.owner.query('select target from verification_requests where org_id = $1', [
      org.orgId,
    ])
    expect(rows).toHaveLength(1)
  })
})

describe('400', () => {
  it.each([
    { sender_id: undefined },
    { beneficiary_id: undefined },
    { target_type: 'sender', sender_id: undefined },
    { target_type: 'everybody' },
    { verification_type: 'passport' },
    { priority: 'never' },
    { triggered_by: '' },
    { user_id: 'somebody-else' },
  ])('a request with %j', async (change) => {
    expect((await ask(change)).status).toBe(400)
  })

  it.each([
    ['a sender', 'sender_id', () => addPerson(t, org.orgId, 'staff').then(({ userId }) => userId)],
    ['a beneficiary', 'beneficiary_id', async () => withoutMail],
    ['a beneficiary that is not there', 'beneficiary_id', async () => newId()],
  ])('%s who has no part in the transaction: nobody is asked', async (_what, path, id) => {
    const { status, body: said } = await ask({ [path]: await id() })
    expect([status, said.details[0].path]).toEqual([400, path])
    expect(said.message).toContain('of this transaction')
    const { rowCount } = await t.owner.query('select from verification_requests where org_id = $1', [
      org.orgId,
    ])
    expect(rowCount).toBe(0)
  })
})

describe('401', () => {
  it('a request without a credential', async () => {
    expect((await t.call('POST', requestPath, { body: body() })).status).toBe(401)
  })
})

describe('403', () => {
  let staff: Person
  it('staff may request but not read answers without the permission; viewers may do neither', async () => {
    staff = await addPerson(t, org.orgId, 'staff')
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const requestId = (await ask({ target_type: 'sender' }, staff.token)).body.request_id
    expect((await read(requestId, staff.token)).status).toBe(403)
    expect((await ask({}, viewer.token)).status).toBe(403)
    const path = `/v1/organizations/${org.orgId}/members/${staff.userId}/permissions`
    await org.call('POST', path, { permissions: ['verifications:read'] })
    expect((await read(requestId, staff.token)).status).toBe(200)
  })
})

describe('404', () => {
  it('an unknown payment', async () => {
    expect((await ask({ transaction_id: newId() })).status).toBe(404)
  })

  it('a forged link', async () => {
    expect((await t.call('GET', '/verify/nonsense')).status).toBe(404)
    const invitation = t.deps.links.urlOf('invitation', { orgId: org.orgId, id: await askSender() })
    expect((await t.call('GET', `/verify/${invitation.split('/').at(-1)}`)).status).toBe(404)
  })
})

describe('409', () => {
  it('a single target without an address', async () => {
    expect((await ask({ target_type: 'beneficiary', ...(await toUnreachable()) })).status).toBe(409)
  })

  it('neither target can be notified: nothing is stored, and the details give the reasons', async () => {
    const { status, body: said } = await ask(await byLeaver(withoutMail))
    expect(status).toBe(409)
    expect(said.details.map((one: Json) => one.path)).toEqual(['sender_id', 'beneficiary_id'])
  })
})
