import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import {
  bankBeneficiary,
  bankPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { readTable, sendAgain } from '../disputes/testing/orders.ts'
import { checkEndedPayment } from '../../payments/supervision/check-ended-payment.ts'

/** Every ordered pair of what can happen to a payout of 25.00 at Paystack after it has ended. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let payee: string
beforeAll(async () => {
  org = await openPayments(t)
  payee = await org.addBeneficiary(bankBeneficiary())
})
afterAll(() => assertAuditClean(t.owner))

type Payout = { id: string; reference: string }
const happenings: Record<string, (payout: Payout) => Promise<unknown>> = {
  return: ({ reference }) => t.simulator.reverse('paystack', { reference }).catch(() => undefined),
  'late success': ({ reference }) => sendAgain(t, 'paystack', { reference, event: 'transfer.success' }),
  'late failure': ({ reference }) => sendAgain(t, 'paystack', { reference, event: 'transfer.failed' }),
  cancel: ({ id }) => org.call('POST', `/v1/payments/${id}/cancel`, {}),
}

/** What the balance has paid in the end, in whole units. */
async function play(amount: number, names: readonly string[]): Promise<string> {
  const id = await org.start(bankPayout(payee, { amount, target_amount: amount }))
  const [attempt] = await org.attempts(id)
  const { reference } = attempt.data
  await t.simulator.settle({ reference, all: true })
  await org.advance(id)
  for (const name of names) {
    await happenings[name]?.({ id, reference })
    await checkEndedPayment(t.deps, { orgId: org.orgId, paymentId: id, isReported: false })
  }
  const { rows } = await t.owner.query<{ minor: string | null }>(
    `select sum(case when debit_account = 'available' then amount_minor when credit_account = 'available' then -amount_minor end)
       as minor from ledger_transfers where cause_id = $1 and phase in ('posted', 'post') and kind <> 'provider.cost'`,
    [id],
  )
  return `${Number(rows[0]?.minor ?? 0) / 100}`
}

/** Rows: what happens first. Columns: what happens then. */
function checkPairs(amount: number, text: string): void {
  const table = readTable(text)
  it.each([...table.keys()])('%s first', async (first) => {
    const seconds = Object.keys(table.get(first) ?? {})
    const found = seconds.map(async (second) => [second, await play(amount, [first, second])] as const)
    expect(Object.fromEntries(await Promise.all(found))).toEqual(table.get(first))
  })
}

describe('a payout that was paid', () => {
  checkPairs(
    25,
    `
                 | return | late success | late failure | cancel
    return       | 0      | 0            | 0            | 0
    late success | 0      | 25           | 25           | 25
    late failure | 0      | 25           | 25           | 25
    cancel       | 0      | 25           | 25           | 25`,
  )
})

describe('a payout that failed, about which the provider contradicts itself', () => {
  // The simulator lets payouts of this amount fail.
  checkPairs(
    25.14,
    `
                 | return | late success | late failure | cancel
    return       | 0      | 0            | 0            | 0
    late success | 0      | 0            | 0            | 0
    late failure | 0      | 0            | 0            | 0
    cancel       | 0      | 0            | 0            | 0`,
  )
})

describe('a payout that failed and was paid later', () => {
  // Both steps are settled before anything else happens.
  checkPairs(
    25.29,
    `
                 | return | late success | late failure | cancel
    late success | 0      | 25.29        | 25.29        | 25.29
    late failure | 0      | 25.29        | 25.29        | 25.29`,
  )
})
