import type { CompiledQuery } from 'kysely'
import type { DisputeMove } from '../../../connectors/kit/disputes.ts'
import { account, insertTransfers, posted, type Transfer } from '../../../kernel/ledger/transfers.ts'
import { negativeBalanceStatements } from '../../people/exceptions/raise-negative-balance.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { Payment } from '../../payments/record.ts'
import type { BookedMove, Dispute } from './record.ts'
import { isWithdrawal, roundOfMove } from './rules.ts'

type Carrier = Pick<Dispute, 'orgId' | 'disputeId' | 'provider' | 'accountId' | 'custody'>

/**
 * The share of the payment's exchanged amount, rounded half up and at least one unit, so that the source currency is
 * always made good. The whole amount gives exactly the whole.
 */
export function exchangedShare(amountMinor: bigint, source: Money, target: Money): bigint {
  const doubled = 2n * amountMinor * target.amountMinor + source.amountMinor
  const share = doubled / (2n * source.amountMinor)
  return share > 0n ? share : 1n
}

/** What is exchanged at the payment's rate: the amount and, in the same currency, the provider's charge. */
const exchangeable = ({
  amountMinor,
  currency,
  costMinor,
  costCurrency,
}: Pick<BookedMove, 'amountMinor' | 'currency' | 'costMinor' | 'costCurrency'>): bigint =>
  amountMinor + (costCurrency === currency ? costMinor : 0n)

/** The row of a movement. What the payin exchanged is exchanged back at the same rate. */
export function bookMove(
  moveNo: number,
  { amount, cost }: DisputeMove,
  { source, target }: Pick<Payment, 'source' | 'target'>,
): BookedMove {
  const move = {
    moveNo,
    ...amount,
    costMinor: cost?.amountMinor ?? 0n,
    costCurrency: cost?.currency ?? amount.currency,
  }
  const isExchanged = source.currency !== target.currency && amount.currency === source.currency
  return {
    ...move,
    exchangedMinor: isExchanged ? exchangedShare(exchangeable(move), source, target) : null,
    exchangedCurrency: isExchanged ? target.currency : null,
  }
}

/** The transfers of one movement: the disputed amount, the provider's charge, and the exchange of both. */
export function moveTransfers(dispute: Carrier, move: BookedMove): Transfer[] {
  const { amountMinor, currency, costMinor, costCurrency } = move
  const isOut = isWithdrawal(move.moveNo)
  const available = account.available(dispute.custody)
  const atProvider = account.provider(dispute.provider, dispute.accountId)
  const [debit, credit] = isOut ? [available, atProvider] : [atProvider, available]
  const transferOf = transfersFor(dispute, move)
  const moved = transferOf(isOut ? 'withdrawn' : 'returned', { debit, credit, amountMinor, currency })
  const charged = { debit, credit, amountMinor: costMinor, currency: costCurrency }
  const charge = costMinor === 0n ? [] : [transferOf(isOut ? 'cost' : 'cost.returned', charged)]
  const exchange = exchangeTransfers(move, available, transferOf)
  return isOut ? [...exchange, moved, ...charge] : [moved, ...charge, ...exchange]
}

type TransferOf = (
  kind: string,
  sides: Pick<Transfer, 'debit' | 'credit' | 'amountMinor' | 'currency'>,
) => Transfer

const transfersFor =
  ({ disputeId }: Carrier, { moveNo }: BookedMove): TransferOf =>
  (kind, sides) =>
    posted({ causeId: disputeId, kind: `dispute.${kind}.${roundOfMove(moveNo)}`, ...sides })

/** Before a withdrawal the exchanged currency is sold for it; after a return it is bought again. */
function exchangeTransfers(move: BookedMove, available: string, transferOf: TransferOf): Transfer[] {
  const { exchangedMinor, exchangedCurrency, currency } = move
  if (exchangedMinor === null || exchangedCurrency === null) return []
  const pair = account.exchange(currency, exchangedCurrency)
  const own = { amountMinor: exchangeable(move), currency }
  const other = { amountMinor: exchangedMinor, currency: exchangedCurrency }
  const [sold, bought] = isWithdrawal(move.moveNo) ? [other, own] : [own, other]
  const prefix = isWithdrawal(move.moveNo) ? 'fx' : 'fx.returned'
  return [
    transferOf(`${prefix}.sold`, { debit: available, credit: pair, ...sold }),
    transferOf(`${prefix}.bought`, { debit: pair, credit: available, ...bought }),
  ]
}

/** A provider's own debit is never refused; where it takes the pooled balance below its limit, that is raised. */
export function moveStatements(dispute: Carrier, moves: readonly BookedMove[]): CompiledQuery[] {
  const transfers = moves.flatMap((move) => moveTransfers(dispute, move))
  if (transfers.length === 0) return []
  return [insertTransfers(dispute.orgId, transfers), ...negativeBalanceStatements(dispute.orgId, transfers)]
}
