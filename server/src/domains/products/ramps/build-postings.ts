import { account, posted, type Transfer } from '../../../kernel/ledger/transfers.ts'
import type { Money } from '../../../lib/money/money.ts'
import { collectedAsset, deliveredAsset, type Leg, type Ramp } from './record.ts'

/** Posts what arrived since the last poll. The running total in the kind makes each arrival a transfer of its own. */
export function arrived(paymentId: string, leg: Leg, before: Ramp, after: Ramp): Transfer[] {
  const amountMinor = after.receivedMinor - before.receivedMinor
  return amountMinor <= 0n
    ? []
    : [
        posted({
          causeId: paymentId,
          kind: `ramp.received:${after.receivedMinor}`,
          debit: account.provider(leg.provider, leg.accountId),
          credit: account.ramps,
          currency: collectedAsset(after).currency,
          amountMinor,
        }),
      ]
}

/** Moves the disputed amount from the ramp account to suspense until a person resolves it. */
export function suspended(paymentId: string, before: Ramp, after: Ramp): Transfer[] {
  const amountMinor = after.suspendedMinor - before.suspendedMinor
  return amountMinor <= 0n
    ? []
    : [
        posted({
          causeId: paymentId,
          kind: `ramp.suspended:${after.suspendedMinor}`,
          debit: account.ramps,
          credit: account.suspense,
          currency: collectedAsset(after).currency,
          amountMinor,
        }),
      ]
}

/** Exchanges the collected asset through the currency pair's account, and pays out the other one. */
export function delivered(paymentId: string, leg: Leg, ramp: Ramp): Transfer[] {
  const sold = collectedAsset(ramp)
  const bought = deliveredAsset(ramp)
  const exchange = account.exchange(sold.currency, bought.currency)
  const move = (kind: string, debit: string, credit: string, { currency, amountMinor }: Money): Transfer =>
    posted({ causeId: paymentId, kind, debit, credit, currency, amountMinor })
  return [
    move('ramp.sold', account.ramps, exchange, sold),
    move('ramp.bought', exchange, account.ramps, bought),
    move('ramp.delivered', account.ramps, account.provider(leg.provider, leg.accountId), bought),
  ]
}

export const returned = (paymentId: string, leg: Leg, amount: Money): Transfer =>
  posted({
    causeId: paymentId,
    kind: 'ramp.returned',
    debit: account.ramps,
    credit: account.provider(leg.provider, leg.accountId),
    ...amount,
  })
