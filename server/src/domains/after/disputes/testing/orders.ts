import { expect, it } from 'vitest'
import { postToSimulator } from '../../../../../test/worlds/test-accounts.ts'
import type { OrgPayments, TestPayments } from '../../../../../test/worlds/test-payments.ts'
import { checkEndedPayment } from '../../../payments/supervision/check-ended-payment.ts'
import { disputable, paid, paidBy, type DisputableProvider } from './disputed-payments.ts'

/** Where the orders are played. The organisation is opened before the first test. */
interface World {
  t: TestPayments
  org(this: void): OrgPayments
}
type Happening = (payment: { id: string; reference: string }) => Promise<unknown>

/** What can happen to a payin of 25.00 after it was paid. What the provider refuses has not happened. */
function happeningsAt({ t, org }: World, provider: DisputableProvider): Record<string, Happening> {
  const refund =
    (amount?: number): Happening =>
    ({ id }) =>
      org().call('POST', `/v1/payments/${id}/refund`, { reason: 'asked', ...(amount && { amount }) })
  const dispute =
    (action: 'open' | 'warn', ...more: readonly ('withdraw' | 'win' | 'lose')[]): Happening =>
    async ({ reference }) => {
      const { id } = await t.simulator.dispute(provider, { reference, action })
      for (const next of more) await t.simulator.dispute(provider, { id, action: next })
    }
  // Stripe takes the money when a dispute is opened, Adyen by a message of its own, the others when it is lost.
  const taken = provider === 'adyen' ? (['withdraw'] as const) : []
  return {
    full: refund(),
    part: refund(10),
    dashboard: ({ reference }) =>
      t.simulator.refund(provider, { reference, amount: '10.00' }).catch(() => undefined),
    opened: dispute(provider === 'stripe' ? 'warn' : 'open'),
    withdrawn: dispute('open', ...taken),
    won: dispute('open', ...taken, 'win'),
    lost: dispute('open', ...taken, 'lose'),
    reversal: ({ reference }) => t.simulator.reverse(provider, { reference }).catch(() => undefined),
    'late success': ({ reference }) =>
      sendAgain(t, provider, { reference, event: 'payment_intent.succeeded' }),
    'late failure': ({ reference }) =>
      sendAgain(t, provider, { reference, event: 'payment_intent.payment_failed' }),
    cancel: ({ id }) => org().call('POST', `/v1/payments/${id}/cancel`, {}),
  }
}

/** The provider sends a signed message that may contradict what it has done. */
export const sendAgain = (
  t: TestPayments,
  provider: string,
  message: { reference: string; event: string },
): Promise<unknown> => postToSimulator(t, `/${provider}/_webhooks/send`, message)

/** Pays, lets each of these happen, and asks the provider after each, as the nightly review does. */
async function play(
  world: World,
  provider: DisputableProvider,
  names: readonly string[],
  amount = 25,
): Promise<string> {
  const { t, org } = world
  const happenings = happeningsAt(world, provider)
  const payment = await paid(t, org(), { ...disputable[provider], amount, target_amount: amount })
  for (const name of names) {
    const happen = happenings[name]
    if (!happen) throw new Error(`nothing is called ${name}`)
    await happen(payment)
    await t.simulator.settle({ all: true })
    await checkEndedPayment(t.deps, { orgId: org().orgId, paymentId: payment.id, isReported: false })
  }
  const [balance, suspense] = [
    await paidBy(t, payment.id, 'available'),
    await paidBy(t, payment.id, 'suspense'),
  ]
  return suspense === 0 ? `${balance}` : `${balance}+${suspense}`
}

/** `25+10` in a table: the balance has paid 25, and suspense 10. */
type Table = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Rows: what happens first. Columns: what happens then. */
export function readTable(text: string): Table {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(
    rows.map(([first = '', ...cells]) => [
      first,
      Object.fromEntries(cells.map((cell, column) => [head[column + 1] ?? '', cell])),
    ]),
  )
}

/** One test for each row. Its pairs run at the same time, because they are about different payments. */
export function checkPairs(
  world: World,
  provider: DisputableProvider,
  table: Table,
  { names, changes = {} }: { names: readonly string[]; changes?: Readonly<Record<string, string>> },
): void {
  it.each(names)('%s first', async (first) => {
    const expected = names.map((second): [string, string | undefined] => {
      const pair = `${first}, ${second}`
      return [pair, changes[pair] ?? table.get(first)?.[second]]
    })
    const found = names.map(async (second): Promise<[string, string]> => {
      return [`${first}, ${second}`, await play(world, provider, [first, second])]
    })
    expect(Object.fromEntries(await Promise.all(found))).toEqual(Object.fromEntries(expected))
  })
}

const playedTogether = 8

/** Lines of `part, lost, reversal = 25+10`. */
export function checkOrders(world: World, provider: DisputableProvider, text: string, amount?: number): void {
  const orders = text
    .trim()
    .split('\n')
    .map((line) => line.split('=').map((part) => part.trim()) as [string, string])
  const groups = Array.from({ length: Math.ceil(orders.length / playedTogether) }, (_, index) => ({
    group: index + 1,
    expected: orders.slice(index * playedTogether, (index + 1) * playedTogether),
  }))
  it.each(groups)('group $group', async ({ expected }) => {
    const found = expected.map(async ([order]): Promise<[string, string]> => {
      return [order, await play(world, provider, order.split(', '), amount)]
    })
    expect(Object.fromEntries(await Promise.all(found))).toEqual(Object.fromEntries(expected))
  })
}
