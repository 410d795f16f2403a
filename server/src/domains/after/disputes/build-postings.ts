import type { CompiledQuery } from 'kysely'
import type { DisputeMove } from '../../../connectors/kit/disputes.ts'
import { account, insertTransfers, posted, type Transfer } from '../../../kernel/ledger/transfers.ts'
import { negativeBalanceStatements } from '../../people/exceptions/raise-negative-balance.ts'
import { isExchanged, targetPartOf } from '../../payments/lifecycle/rules.ts'
import type { Payment } from '../../payments/record.ts'
import type { PayinSums } from '../../payments/sums/record.ts'
import { divide } from '../../payments/sums/rules.ts'
import type { BookedMove, Dispute } from './record.ts'
import { isWithdrawal, roundOfMove } from './rules.ts'

type Carrier = Pick<Dispute, 'orgId' | 'disputeId' | 'provider' | 'accountId' | 'custody'>

/** The sums of the payment after a movement. */
export const movedSums = (sums: PayinSums, moveNo: number, amountMinor: bigint): PayinSums =>
  isWithdrawal(moveNo)
    ? { ...sums, withdrawnMinor: sums.withdrawnMinor + amountMinor }
    : { ...sums, returnedMinor: sums.returnedMinor + amountMinor }

/** The row of a movement. What the payin exchanged is exchanged back at the same rate, and so is the provider's charge. */
export function bookMove(
  moveNo: number,
  { amount, cost }: DisputeMove,
  payment: Pick<Payment, 'source' | 'target' | 'sums'>,
): BookedMove {
  const { target, sums } = payment
  const costMinor = cost?.amountMinor ?? 0n
  const costCurrency = cost?.currency ?? amount.currency
  const { balanceMinor, excessMinor } = divide(payment, movedSums(sums, moveNo, amount.amountMinor))
  const costPart = costCurrency === amount.currency ? targetPartOf(payment, costMinor) : 0n
  return {
    moveNo,
    ...amount,
    excessMinor,
    costMinor,
    costCurrency,
    exchangedMinor: isExchanged(payment) ? balanceMinor + costPart : null,
    exchangedCurrency: isExchanged(payment) ? target.currency : null,
  }
}

/** What is exchanged at the payment's rate: what is booked and, in the same currency, the provider's charge. */
const exchangeable = ({ amountMinor, excessMinor, currency, costMinor, costCurrency }: BookedMove): bigint =>
  amountMinor - excessMinor + (costCurrency === currency ? costMinor : 0n)

/** The transfers of one movement: the disputed amount, its excess, the provider's charge, and the exchange. */
export function moveTransfers(dispute: Carrier, move: BookedMove): Transfer[] {
  const { amountMinor, excessMinor, currency, costMinor, costCurrency } = move
  const isOut = isWithdrawal(move.moveNo)
  const available = account.available(dispute.custody)
  const atProvider = account.provider(dispute.provider, dispute.accountId)
  const between = (holder: string) =>
    isOut ? { debit: holder, credit: atProvider } : { debit: atProvider, credit: holder }
  const transferOf = transfersFor(dispute, move)
  const booked = { ...between(available), amountMinor: amountMinor - excessMinor, currency }
  const excess = { ...between(account.suspense), amountMinor: excessMinor, currency }
  const charged = { ...between(available), amountMinor: costMinor, currency: costCurrency }
  const moved = [
    transferOf(isOut ? 'withdrawn' : 'returned', booked),
    transferOf(isOut ? 'excess' : 'excess.returned', excess),
    transferOf(isOut ? 'cost' : 'cost.returned', charged),
  ]
  const exchange = exchangeTransfers(move, available, transferOf)
  const transfers = isOut ? [...exchange, ...moved] : [...moved, ...exchange]
  return transfers.filter((transfer) => transfer.amountMinor > 0n)
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
