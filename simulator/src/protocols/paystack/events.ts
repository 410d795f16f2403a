import type { Transaction } from '../../core/transaction.ts'
import type { WebhookDraft } from '../../protocol.ts'
import { subunitsOf } from './identifiers.ts'
import {
  INTEGRATION,
  presentRecipient,
  presentTransfer,
  refundDetailsOf,
  refundStatusOf,
  transferDetailsOf,
  transferStatusOf,
} from './present-payout.ts'
import { chargeDetailsOf, customerOf, presentTransaction } from './present-transaction.ts'
import type { Paystack } from './state.ts'

const REJECTED = 'bank.transfer.rejected'
const TOLD_TRANSFERS = ['success', 'failed', 'reversed']

/** Paystack reports no reversed charge and only some failed ones, so clients have to poll. */
export function eventsFor(paystack: Paystack, transaction: Transaction, event?: string): WebhookDraft[] {
  const name = event ?? eventNameOf(transaction)
  if (name === undefined) return []
  const body = JSON.stringify({ event: name, data: eventDataOf(paystack, transaction, name) })
  return [{ event: name, body, contentType: 'application/json' }]
}

function eventNameOf(transaction: Transaction): string | undefined {
  switch (transaction.operation) {
    case 'collect':
      return chargeEventOf(transaction)
    case 'payout': {
      const status = transferStatusOf(transaction)
      return TOLD_TRANSFERS.includes(status) ? `transfer.${status}` : undefined
    }
    case 'refund':
      return `refund.${refundStatusOf(transaction)}`
  }
}

function chargeEventOf(transaction: Transaction): string | undefined {
  const { tellsFailure, rejectedSubunits } = chargeDetailsOf(transaction)
  if (transaction.state === 'completed') return 'charge.success'
  if (transaction.state === 'failed') return tellsFailure === true ? 'charge.failed' : undefined
  return transaction.state === 'pending' && rejectedSubunits !== undefined ? REJECTED : undefined
}

function eventDataOf(paystack: Paystack, transaction: Transaction, name: string): object {
  switch (transaction.operation) {
    case 'collect':
      return name === REJECTED
        ? rejectedTransferOf(transaction)
        : {
            ...presentTransaction(paystack, transaction),
            ...(name === 'charge.success' && { status: 'success' }),
          }
    case 'payout':
      return transferOf(paystack, transaction)
    case 'refund':
      return refundOf(transaction)
  }
}

function rejectedTransferOf(transaction: Transaction) {
  const { id, email, rejectedSubunits } = chargeDetailsOf(transaction)
  return {
    bank_transfer: {
      amount: rejectedSubunits ?? '0',
      message: 'incorrect amount sent',
      message_type: 'INCORRECT_AMOUNT',
      transaction_id: String(id),
    },
    customer: customerOf(email),
  }
}

function transferOf({ recipients }: Paystack, transaction: Transaction) {
  const recipient = recipients.get(transferDetailsOf(transaction).recipientCode)
  return {
    ...presentTransfer(transaction, recipient === undefined ? {} : presentRecipient(recipient)),
    integration: { id: INTEGRATION, is_live: false, business_name: 'Switchyard Sandbox' },
    created_at: transaction.createdAt,
    updated_at: transaction.updatedAt,
  }
}

/** The event contains neither id nor note, only the transaction and the amount. */
function refundOf(transaction: Transaction) {
  const details = refundDetailsOf(transaction)
  const status = refundStatusOf(transaction)
  return {
    status,
    transaction_reference: details.transactionReference,
    refund_reference: status === 'processed' ? `RRN${details.id}` : null,
    amount: String(subunitsOf(transaction.amount)),
    currency: transaction.currency,
    processor: 'simulator',
    customer: { first_name: null, last_name: null, email: details.email },
    integration: INTEGRATION,
    domain: 'test',
  }
}
