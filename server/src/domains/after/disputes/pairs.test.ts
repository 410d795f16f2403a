import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { checkEndedPayment } from '../../payments/supervision/check-ended-payment.ts'
import { disputable, paid, type DisputableProvider } from './testing/disputed-payments.ts'

/** Every ordered pair of what can happen to a payin after it was paid. The tables are written by hand. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let payment: { id: string; reference: string }
beforeEach(async () => {
  org = await openPayments(t)
})
afterAll(() => assertAuditClean(t.owner))

const inquire = () => org.call('POST', `/v1/payments/${payment.id}/inquire`, {})
const refund = async (amount?: number): Promise<void> => {
  const body = { reason: 'asked', ...(amount !== undefined && { amount }) }
  await org.call('POST', `/v1/payments/${payment.id}/refund`, body)
}
const dispute = async (
  provider: DisputableProvider,
  action: 'open' | 'warn',
  end?: 'win' | 'lose',
): Promise<void> => {
  const { id } = await t.simulator.dispute(provider, { reference: payment.reference, action })
  if (end) await t.simulator.dispute(provider, { id, action: end })
}
const refundInDashboard = (provider: DisputableProvider) =>
  t.simulator.refund(provider, { reference: payment.reference, amount: '10.00' })

/** What the balance or suspense has paid in the end, in whole units. */
async function paidBy(account: 'available' | 'suspense'): Promise<number> {
  const { rows } = await t.owner.query<{ minor: string | null }>(
    `select sum(case when debit_account = $2 then amount_minor when credit_account = $2 then -amount_minor end)
       as minor from ledger_transfers where org_id = $1 and phase in ('posted', 'post')
       and (kind like 'refund%' or kind like 'payin.reversed%' or kind ~ '^dispute.(withdrawn|returned|excess)')`,
    [org.orgId, account],
  )
  return Number(rows[0]?.minor ?? 0) / 100
}

type Sums = readonly [balance: number, suspense: number]
/** Rows: what happens first. Columns: what happens then, in the same order. */
function checkPairs(
  provider: DisputableProvider,
  events: Readonly<Record<string, () => Promise<unknown>>>,
  table: Readonly<Record<string, readonly Sums[]>>,
): void {
  const names = Object.keys(events)
  const pairs = names.flatMap((first) =>
    names.map((second, column) => ({ first, second, expected: table[first]?.[column] })),
  )
  it.each(pairs)('a $first, then a $second', async ({ first, second, expected }) => {
    payment = await paid(t, org, disputable[provider])
    for (const name of [first, second]) {
      // What the provider refuses has not happened.
      await events[name]?.().catch(() => undefined)
      await t.simulator.settle({ all: true })
      await inquire()
    }
    expect([await paidBy('available'), await paidBy('suspense')]).toEqual(expected)
  })
}

describe('a payin of 25.00 at Stripe', () => {
  checkPairs(
    'stripe',
    {
      'full refund': () => refund(),
      'partial refund': () => refund(10),
      'refund in the dashboard': () => refundInDashboard('stripe'),
      warning: () => dispute('stripe', 'warn'),
      'dispute that withdraws': () => dispute('stripe', 'open'),
      'dispute that is won': () => dispute('stripe', 'open', 'win'),
      'dispute that is lost': () => dispute('stripe', 'open', 'lose'),
    },
    {
      'full refund': [
        [25, 0],
        [25, 0],
        [25, 10],
        [25, 0],
        [25, 25],
        [25, 0],
        [25, 25],
      ],
      'partial refund': [
        [25, 0],
        [20, 0],
        [20, 0],
        [10, 0],
        [25, 10],
        [10, 0],
        [25, 10],
      ],
      'refund in the dashboard': [
        [25, 0],
        [20, 0],
        [20, 0],
        [10, 0],
        [25, 10],
        [10, 0],
        [25, 10],
      ],
      warning: [
        [25, 0],
        [10, 0],
        [10, 0],
        [0, 0],
        [25, 0],
        [0, 0],
        [25, 0],
      ],
      'dispute that withdraws': [
        [25, 0],
        [25, 0],
        [25, 10],
        [25, 0],
        [25, 25],
        [25, 0],
        [25, 25],
      ],
      'dispute that is won': [
        [25, 0],
        [10, 0],
        [10, 0],
        [0, 0],
        [25, 0],
        [0, 0],
        [25, 0],
      ],
      'dispute that is lost': [
        [25, 0],
        [25, 0],
        [25, 10],
        [25, 0],
        [25, 25],
        [25, 0],
        [25, 25],
      ],
    },
  )
})

describe('a payin of 1500.75 at Paystack, which withdraws when a dispute is lost', () => {
  const whole = 1500.75
  checkPairs(
    'paystack',
    {
      'full refund': () => refund(),
      'partial refund': () => refund(500),
      'dispute that is lost': () => dispute('paystack', 'open', 'lose'),
      // No webhook tells of it: the review of older payments asks.
      reversal: async () => {
        await t.simulator.reverse('paystack', { reference: payment.reference })
        const { orgId } = org
        await checkEndedPayment(t.deps, { orgId, paymentId: payment.id, isReported: false })
      },
    },
    {
      'full refund': [
        [whole, 0],
        [whole, 0],
        [whole, whole],
        [whole, 0],
      ],
      'partial refund': [
        [whole, 0],
        [1000, 0],
        [whole, 500],
        [whole, 0],
      ],
      'dispute that is lost': [
        [whole, 0],
        [whole, 0],
        [whole, whole],
        [whole, 0],
      ],
      reversal: [
        [whole, 0],
        [whole, 0],
        [whole, whole],
        [whole, 0],
      ],
    },
  )
})
