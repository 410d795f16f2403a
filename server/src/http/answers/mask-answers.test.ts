import { beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '../../lib/requests/access.ts'
import { maskPersonalData } from '../../lib/text/masking.ts'
import { rawNumber } from '../../lib/text/json.ts'
import { person } from '../../../test/secrets/canaries.ts'
import { openReader } from '../../../test/contract/read-everything.ts'
import { addPerson } from '../../../test/app/people.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  mobileMoneyPayout,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../test/worlds/test-payments.ts'

const t = usePayments()
let org: OrgPayments
let viewer: string
let nosy: string
let readEverything: Awaited<ReturnType<typeof openReader>>
const planted = [person.phone, person.account, person.email]

beforeAll(async () => {
  org = await openPayments(t)
  await plantPersonalData()
  viewer = (await addPerson(t, org.orgId, 'viewer')).token
  const member = await addPerson(t, org.orgId, 'viewer')
  nosy = member.token
  const granted = permissions.filter((name) => name !== 'personal-data:read' && !name.startsWith('platform:'))
  const path = `/v1/organizations/${org.orgId}/members/${member.userId}/permissions`
  const grant = await org.call('POST', path, { permissions: granted })
  if (grant.status !== 200) throw new Error(`the permissions were not granted: ${grant.text}`)
  readEverything = await openReader(t, org.orgId)
}, 120_000)

async function plantPersonalData(): Promise<void> {
  const payer_details = { name: person.name, email: person.email, phone: person.phone }
  const mobile_money_details = { provider: 'MTN', phone_number: person.phone }
  await org.start(mobileMoneyPayin({ payer_details, mobile_money_details }))
  const paid = await org.start(cardPayin({ payer_details }))
  await t.simulator.settle()
  await org.call('POST', `/v1/payments/${paid}/refund`, { amount: 1, reason: 'A part' })
  const contact = { email: person.email, phone_number: person.phone }
  const bank_details = { account_number: person.account, bank_code: '044', iban: 'GB33BUKB20201555555555' }
  const banked = await org.addBeneficiary(bankBeneficiary({ ...contact, bank_details }))
  const mobile = await org.addBeneficiary(
    mobileMoneyBeneficiary({ ...contact, momo_details: { provider: 'MTN', phone_number: person.phone } }),
  )
  const bank_account = { account_number: person.account, bank_code: '044', bank_name: 'Access Bank' }
  await org.start(bankPayout(banked, { bank_account }))
  await org.start(mobileMoneyPayout(mobile, { mobile_money_details }))
  await org.call('POST', `/v1/orgs/${org.orgId}/payment-links`, {
    amount: 10,
    currency: 'GBP',
    amount_type: 'fixed',
    description: 'An invoice',
    email: person.email,
  })
}

/** How much a caller can read, and the routes whose answers contain a planted value. */
async function readAll(as: string): Promise<{ answered: number; leaks: string[] }> {
  const leaks = new Set<string>()
  let answered = 0
  await readEverything(as, ({ name, status, text }) => {
    if (planted.some((value) => text.includes(value))) leaks.add(name)
    if (status === 200) answered += 1
  })
  return { answered, leaks: [...leaks] }
}

describe('personal data of payers and beneficiaries', () => {
  it('is in no answer to a viewer, as JSON or as CSV', async () => {
    const { answered, leaks } = await readAll(viewer)
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(30)
  }, 120_000)

  it('is in no answer to a member who has every other permission of the organisation', async () => {
    const { answered, leaks } = await readAll(nosy)
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(50)
  }, 120_000)

  it('is shown in full by single resources to those who have the permission', async () => {
    const { leaks } = await readAll(org.credential)
    expect(leaks).toEqual(
      expect.arrayContaining([
        'GET /v1/payments/:payment_id application/json',
        'GET /v1/beneficiaries/:beneficiary_id application/json',
      ]),
    )
  }, 120_000)

  it('of members is shown to their colleagues', async () => {
    const { body } = await t.call('GET', '/v1/users/me', { as: viewer })
    expect(body.data.email).not.toContain('*')
  })
})

describe('the rule', () => {
  it('covers every spelling of the fields, at any depth, and leaves numbers, dates and other text as they are', () => {
    const amount = rawNumber('10.50')
    const at = new Date(0)
    expect(
      maskPersonalData({
        amount,
        at,
        description: 'call 08031234567',
        payer: { email: 'ada@example.com', phone: '08031234567' },
        list: [{ payer_email: 'b@example.com', accountNumber: '0690000049', iban: 'GB33BUKB20201555555555' }],
        instructions: 'account_number: 0690000049, bank_name: Access Bank',
        none: null,
      }),
    ).toEqual({
      amount,
      at,
      description: 'call 08031234567',
      payer: { email: 'a***@example.com', phone: '*******4567' },
      list: [
        { payer_email: 'b***@example.com', accountNumber: '******0049', iban: '******************5555' },
      ],
      instructions: 'account_number: ******0049, bank_name: Access Bank',
      none: null,
    })
  })
})
