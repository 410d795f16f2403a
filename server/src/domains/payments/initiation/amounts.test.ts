import { beforeAll, expect, it } from 'vitest'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { Money } from '../../../lib/money/money.ts'
import {
  mobileMoneyPayin,
  openPayments,
  usePayments,
  type OrgPayments,
  type TestPayments,
} from '../../../../test/worlds/test-payments.ts'
import { approveChange } from '../../../../test/app/people.ts'
import { advancePayment } from '../supervision/advance-payment.ts'

const t = usePayments()
let org: OrgPayments

beforeAll(async () => {
  org = await openPayments(t)
})

/** The real connector, except for the amount that its inquiry reports. */
const connectorsThatTell = (amount: Money): TestPayments['deps']['connectors'] => ({
  ...t.deps.connectors,
  load: async (orgId, provider) => {
    const connector = await t.deps.connectors.load(orgId, provider)
    return connector && { ...connector, inquire: (attempt) => inquireWith(connector, attempt, amount) }
  },
})

async function inquireWith(
  connector: Connector,
  attempt: Parameters<Connector['inquire']>[0],
  amount: Money,
) {
  const inquiry = await connector.inquire(attempt)
  return inquiry.kind === 'accepted'
    ? { ...inquiry, state: { state: 'completed' } as const, amount }
    : inquiry
}

const pendingPayin = (): Promise<string> => {
  t.simulator.setFaults('pawapay', [{ on: 'webhook', fault: 'webhook_drop', times: 100 }])
  return org.start(mobileMoneyPayin())
}

it.each([
  ['less', -1n],
  ['more', 1n],
])(
  'an inquiry that reports %s money never completes the payment, and raises one exception',
  async (_name, difference) => {
    const id = await pendingPayin()
    const { amount, currency } = await amountOf(id)
    const deps = { ...t.deps, connectors: connectorsThatTell({ amountMinor: amount + difference, currency }) }
    await advancePayment(deps, { orgId: org.orgId, paymentId: id })
    await advancePayment(deps, { orgId: org.orgId, paymentId: id })
    expect((await org.record(id)).status).toBe('pending')
    expect(await org.postings(id)).toEqual([])
    expect((await org.exceptions()).filter((exception) => exception.payment_id === id)).toMatchObject([
      { kind: 'amount_differs' },
    ])
  },
)

it('two people may decide at once what no inquiry completes', async () => {
  const id = await pendingPayin()
  const evidence = 'The statement shows 4,999, line 4711.'
  const propose = () => org.call('POST', `/v1/payments/${id}/resolve`, { outcome: 'failed', evidence })
  expect((await propose()).status).toBe(409)
  const { amount, currency } = await amountOf(id)
  const deps = { ...t.deps, connectors: connectorsThatTell({ amountMinor: amount - 1n, currency }) }
  await advancePayment(deps, { orgId: org.orgId, paymentId: id })
  const [found] = (await org.exceptions()).filter((exception) => exception.payment_id === id)
  expect(found).toMatchObject({
    kind: 'amount_differs',
    suggested_action: expect.stringContaining('/resolve'),
  })
  const closed = `/v1/payments/exceptions/${found.exception_id}/close`
  expect((await org.call('POST', closed, { resolution: 'The ledger is corrected.' })).status).toBe(200)
  const proposed = await propose()
  expect(proposed.status).toBe(202)
  await approveChange(t, proposed)
  expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'RESOLVED_FAILED' } })
})

it('an inquiry that reports the right amount completes the payment', async () => {
  const id = await pendingPayin()
  const { amount, currency } = await amountOf(id)
  const deps = { ...t.deps, connectors: connectorsThatTell({ amountMinor: amount, currency }) }
  await advancePayment(deps, { orgId: org.orgId, paymentId: id })
  expect((await org.record(id)).status).toBe('completed')
})

async function amountOf(paymentId: string): Promise<{ amount: bigint; currency: string }> {
  const { rows } = await t.owner.query<{ amount_minor: string; currency: string }>(
    'select amount_minor, currency from payments where payment_id = $1',
    [paymentId],
  )
  return { amount: BigInt(rows[0]!.amount_minor), currency: rows[0]!.currency }
}
