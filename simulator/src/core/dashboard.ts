import { randomUUID } from 'node:crypto'
import type { Provider } from './provider.ts'
import type { Transaction } from './transaction.ts'

interface Reversal {
  reference: string
  /** No webhook is sent, as if it had been lost. */
  silently?: boolean
}

export interface DashboardRefund extends Reversal {
  /** Decimal text in the major unit; the whole charge if absent. */
  amount?: string | undefined
}

const find = (provider: Provider, reference: string): Transaction | undefined =>
  [...provider.transactions.values()].find(
    (one) => one.operation !== 'refund' && (one.reference === reference || one.providerRef === reference),
  )

/** Reverses a completed charge or payout. Returns undefined if nothing with this reference is completed. */
export async function reverseTransaction(
  provider: Provider,
  { reference, silently = false }: Reversal,
): Promise<Transaction | undefined> {
  const transaction = find(provider, reference)
  if (transaction?.state !== 'completed') return undefined
  const told = silently ? ({ ...transaction, webhooks: 'never' } as const) : transaction
  return provider.lifecycle.move(told, { state: 'reversed' })
}

/**
 * Refunds a charge at the provider itself, without checking the remaining amount, so that tests can exceed it. A charge
 * that was charged back is refused where the provider refuses it.
 */
export async function refundByDashboard(
  provider: Provider,
  { reference, amount, silently = false }: DashboardRefund,
): Promise<Transaction | undefined> {
  const charge = find(provider, reference)
  const { dashboardRefund, refusesRefund } = provider.parts
  if (charge?.operation !== 'collect' || charge.state !== 'completed' || !dashboardRefund) return undefined
  if (refusesRefund?.(charge) === true) return undefined
  const terms = { amount: amount ?? charge.amount, id: randomUUID() }
  const refund = provider.record({
    ...dashboardRefund(charge, terms),
    account: charge.account,
    operation: 'refund',
    method: charge.method,
    amount: terms.amount,
    currency: charge.currency,
    state: 'pending',
    webhooks: silently ? 'never' : 'once',
    plan: [],
  })
  return provider.lifecycle.move(refund, { state: 'completed' })
}
