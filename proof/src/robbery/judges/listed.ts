import type { Evidence } from '../evidence.ts'
import type { Violation } from './judge.ts'

const isUndone = (state: string): boolean => state === 'failed' || state === 'canceled'

/**
 * Nothing was collected or sent for a payment in which a thief had put a listed person. Which payments these are, the
 * thief remembers; the providers' journals say what moved.
 */
export function paidToListed(
  { movements, transactions, tokens }: Evidence,
  listed: ReadonlySet<string>,
): Violation[] {
  const about = new Map(
    movements
      .filter(({ paymentId }) => listed.has(paymentId))
      .map(({ reference, paymentId }) => [reference, paymentId]),
  )
  const moved = transactions.filter(({ reference, state }) => about.has(reference) && !isUndone(state))
  const onChain = movements.filter(
    ({ paymentId, provider, state }) =>
      listed.has(paymentId) && provider === 'crypto' && state === 'succeeded' && tokens.length > 0,
  )
  return [
    ...moved.map(({ reference, operation, provider, amount, currency }): Violation => {
      const problem = `${provider} has a ${operation} of ${amount} ${currency} for a listed person`
      return { judge: 'paid to a listed name', subject: about.get(reference) ?? reference, problem }
    }),
    ...onChain.map(({ paymentId }): Violation => {
      const problem = 'tokens were delivered for a listed person'
      return { judge: 'paid to a listed name', subject: paymentId, problem }
    }),
  ]
}
