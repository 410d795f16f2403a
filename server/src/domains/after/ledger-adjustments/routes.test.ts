import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addOperator, addPerson, type Person } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  cardPayin,
  installationAccountId,
  openUnverified,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { newId } from '../../../lib/ids.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'

const path = '/v1/ledger/adjustments'
const reason = 'The statement of March shows a bank charge.'
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let second: Person
let pooledAccount: string
let ownAccount: string
beforeEach(async () => {
  org = await openUnverified(t)
  await seedFunds(t.deps, org.orgId, 1_000n)
  second = await addPerson(t, org.orgId, 'org-admin')
  pooledAccount = `provider:paystack:${await installationAccountId(t, 'paystack')}`
  ownAccount = await openAccount(org)
})
afterAll(() => expectCleanAudit(t))

/** The ledger's name of an account of the organisation's own. */
async function openAccount(of: OrgPayments): Promise<string> {
  await of.ownAccount('paystack', { secretKey: `sk_${of.orgId}` })
  const { body } = await of.call('GET', '/v1/payments/provider-accounts?provider=paystack')
  const own = body.data.find(({ org_id }: Json) => org_id === of.orgId)
  return `provider:paystack:${own.account_id}`
}
const operator = (): string => t.seed.platformAdmin.api_key
const propose = (change: Json = {}, as = org.credential): Promise<CallAnswer> =>
  t.call('POST', path, {
    as,
    body: { debit: 'available', credit: pooledAccount, currency: 'NGN', amount: 12.5, reason, ...change },
  })
const approve = (held: CallAnswer, as: string): Promise<CallAnswer> =>
  t.call('POST', `/v1/organizations/${org.orgId}/change-requests/${held.body.data.request_id}/approve`, {
    as,
    body: {},
  })
const balance = async (custody = 'pooled'): Promise<number | undefined> =>
  (await org.call('GET', `/v1/organizations/${org.orgId}/balances`)).body.data.find(
    (row: Json) => row.currency === 'NGN' && row.custody === custody,
  )?.available
const list = async (query = ''): Promise<Json[]> => (await org.call('GET', `${path}${query}`)).body.data

describe('202, then posted', () => {
  it('an adjustment of pooled money is posted when the operator approves, to the minor unit', async () => {
    const held = await propose()
    expect(held.status).toBe(202)
    expect(held.body.data).toMatchObject({ kind: 'ledger.adjust', approver: 'operator', status: 'pending' })
    expect([await balance(), await list()]).toEqual([1_000, []])
    expect((await approve(held, second.token)).status).toBe(403)
    expect((await approve(held, operator())).status).toBe(200)
    expect(await balance()).toBe(987.5)
    expect(await list()).toMatchObject([
      {
        adjustment_id: held.body.data.request_id,
        debit: 'available',
        credit: pooledAccount,
        amount: 12.5,
        reason,
        approved_by: t.seed.platformAdmin.user_id,
      },
    ])
    expect((await approve(held, operator())).status).toBe(409)
    expect(await list()).toHaveLength(1)
  })

  it('an adjustment of own money is approved by another administrator', async () => {
    const held = await propose({ debit: ownAccount, credit: 'available:own' })
    expect(held.body.data.approver).toBe('administrator')
    expect((await approve(held, org.credential)).status).toBe(403)
    expect((await approve(held, second.token)).status).toBe(200)
    expect(await balance('own')).toBe(12.5)
  })

  it('is shown in the timeline of its payment, and closes the exception that it names', async () => {
    const id = await org.start(cardPayin())
    const exceptionId = newId()
    await t.deps.db.batchInOrg(org.orgId, [
      insertException(org.orgId, {
        exceptionId,
        kind: 'amount_differs',
        paymentId: id,
        provider: 'paystack',
        summary: 'Another amount',
        findingKey: exceptionId,
      }),
    ])
    const held = await propose({ payment_id: id, exception_id: exceptionId })
    expect((await approve(held, operator())).status).toBe(200)
    const entry = (await org.timeline(id)).find(({ kind }) => kind === 'adjustment')
    expect(entry.data).toMatchObject({ amount: '12.50', reason })
    expect(await list(`?payment_id=${id}`)).toHaveLength(1)
    expect(await list(`?payment_id=${newId()}`)).toEqual([])
    const [closed] = await org.exceptions(`&payment_id=${id}`)
    expect(closed).toMatchObject({ status: 'closed', closed_by: t.seed.platformAdmin.user_id })
  })

  it('the operator proposes for an organisation, and another operator approves', async () => {
    const held = await propose({ debit: 'opening', credit: 'available', org_id: org.orgId }, operator())
    expect(held.status).toBe(202)
    for (const as of [operator(), second.token]) expect((await approve(held, as)).status).toBe(403)
    const colleague = await addOperator(t)
    expect((await approve(held, colleague.token)).status).toBe(200)
    expect(await balance()).toBe(1_012.5)
    // Beside a second operator, the first one decides about nothing in the organisations of these tests.
    await t.owner.query('delete from members where user_id = $1', [colleague.userId])
  })
})

describe('400', () => {
  it.each([
    ['a hold', { debit: 'outgoing' }],
    ['suspense', { credit: 'suspense' }],
    ['ramps', { debit: 'ramps' }],
    ['a virtual account', { debit: `va:${newId()}` }],
    ['an account at no provider', { debit: `provider:paystack:${newId()}` }],
    ['a name that does not exist', { debit: 'anything' }],
    ['an exchange', { debit: 'fx:USD/NGN' }],
    ['the same account', { credit: 'available' }],
    ['another custody', { credit: 'available:own' }],
    ['no amount', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['half a minor unit', { amount: 0.005 }],
    ['an unknown currency', { currency: 'XQX' }],
    ['no reason', { reason: '' }],
  ])('%s', async (_name, change) => {
    expect((await propose(change)).status).toBe(400)
  })

  it('the provider account of another custody, or of another organisation', async () => {
    expect((await propose({ credit: ownAccount })).status).toBe(400)
    expect((await propose({ debit: 'available:own', credit: pooledAccount })).status).toBe(400)
    const other = await openUnverified(t)
    const credit = await openAccount(other)
    expect((await propose({ debit: 'available:own', credit })).status).toBe(400)
  })
})

describe('403 and 404', () => {
  it('staff cannot propose, another organisation sees nothing', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    expect((await propose({}, staff.token)).status).toBe(403)
    const other = await openUnverified(t)
    expect((await other.call('GET', `${path}?org_id=${org.orgId}`)).status).toBe(403)
    expect((await propose({ org_id: org.orgId }, other.credential)).status).toBe(403)
    expect((await propose({ payment_id: newId() })).status).toBe(404)
    expect((await propose({ exception_id: newId() })).status).toBe(404)
  })
})

describe('422', () => {
  it('pooled money that is not there is not taken, and the proposal keeps waiting', async () => {
    const held = await propose({ amount: 1_000.01 })
    const refused = await approve(held, operator())
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('0.01 NGN is missing'),
    ])
    expect([await balance(), await list()]).toEqual([1_000, []])
  })
})

it('an adjustment is never changed, even by a bug in the code', async () => {
  await approve(await propose(), operator())
  const change = t.deps.db.acrossOrgs((tx) =>
    tx.db.updateTable('ledger_adjustments').set({ reason: 'Another one, made up later.' }).execute(),
  )
  await expect(change).rejects.toThrow('permission denied')
})
