import type { ProviderDeposit } from '../kit/accounts.ts'
import { readWireMoney } from '../kit/provider-exponents.ts'
import type { Transfer } from './answers.ts'
import type { AdyenCredentials } from './credentials.ts'

export const isIncoming = ({ direction }: Transfer): boolean => direction === 'incoming'

/** Adyen calls a direct debit incoming too, although it takes money out of the account. */
const isBooked = ({ type, status }: Transfer): boolean => type === 'bankTransfer' && status === 'booked'

/** A deposit is read in the same way from a webhook and from the list, so that it has the same dedupe key in both. */
export function depositOf(
  { transfers, ownExponents }: AdyenCredentials,
  transfer: Transfer,
): ProviderDeposit | undefined {
  if (transfers?.accountHolder === undefined || !isIncoming(transfer) || !isBooked(transfer)) return undefined
  const amount = readWireMoney(transfer.amount, ownExponents)
  const balanceAccountId = transfer.balanceAccount?.id
  if (balanceAccountId !== transfers.balanceAccountId || !amount || amount.amountMinor <= 0n) return undefined
  const sender = transfer.counterparty?.bankAccount
  const { iban, accountNumber } = sender?.accountIdentification ?? {}
  return {
    dedupeKey: `deposit:${transfer.id}`,
    providerRef: transfer.id,
    // Money to the balance account itself is for no virtual account, and goes to suspense.
    accountNumber: transfer.paymentInstrument?.id ?? balanceAccountId,
    amount,
    sender: {
      name: sender?.accountHolder?.fullName ?? undefined,
      accountNumber: iban ?? accountNumber ?? undefined,
    },
    description: transfer.referenceForBeneficiary ?? transfer.description ?? undefined,
  }
}

/** Whether an incoming transfer moved money and is no deposit, such as a direct debit: it needs manual review. */
export function isUnexplained(credentials: AdyenCredentials, transfer: Transfer): boolean {
  const ours = credentials.transfers?.balanceAccountId
  const hasMoved = ['booked', 'credited', 'returned'].includes(transfer.status)
  return hasMoved && (transfer.balanceAccount?.id ?? ours) === ours && !depositOf(credentials, transfer)
}
