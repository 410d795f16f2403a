import type { Transaction } from '../../core/transaction.ts'
import { subunitsOf } from './identifiers.ts'
import { customerOf } from './present-transaction.ts'
import {
  refundDetailsSchema,
  transferDetailsSchema,
  type Recipient,
  type RefundDetails,
  type TransferDetails,
} from './schema.ts'

export const INTEGRATION = 100_043

export function transferDetailsOf(transaction: Transaction): TransferDetails {
  return transferDetailsSchema.parse(transaction.details)
}

export function refundDetailsOf(transaction: Transaction): RefundDetails {
  return refundDetailsSchema.parse(transaction.details)
}

export function transferStatusOf(transaction: Transaction): string {
  switch (transaction.state) {
    case 'completed':
      return 'success'
    case 'failed':
      return 'failed'
    case 'reversed':
      return 'reversed'
    case 'canceled':
      return 'abandoned'
    case 'action_required':
      return 'otp'
    case 'pending':
      return 'pending'
  }
}

export function presentTransfer(transaction: Transaction, recipient: object | number) {
  const { id, reason } = transferDetailsOf(transaction)
  const status = transferStatusOf(transaction)
  return {
    amount: subunitsOf(transaction.amount),
    createdAt: transaction.createdAt,
    currency: transaction.currency,
    domain: 'test',
    failures: transaction.failure === undefined ? null : { message: transaction.failure.message },
    id,
    integration: INTEGRATION,
    reason: reason ?? '',
    reference: transaction.reference,
    source: 'balance',
    source_details: null,
    status,
    titan_code: null,
    transfer_code: transaction.providerRef,
    request: id,
    transferred_at: status === 'success' ? transaction.updatedAt : null,
    updatedAt: transaction.updatedAt,
    recipient,
    session: { provider: null, id: null },
    transfersessionid: [],
    transfertrials: [],
    fee_charged: 0,
    fees_breakdown: null,
    gateway_response: transaction.failure?.message ?? null,
  }
}

export function presentRecipient(recipient: Recipient) {
  const { accountNumber, bankCode, bankName, name, description, createdAt } = recipient
  return {
    active: true,
    createdAt,
    currency: recipient.currency,
    description,
    domain: 'test',
    email: null,
    id: recipient.id,
    integration: INTEGRATION,
    metadata: null,
    name,
    recipient_code: recipient.recipientCode,
    type: recipient.type,
    updatedAt: createdAt,
    is_deleted: false,
    isDeleted: false,
    details: {
      authorization_code: null,
      account_number: accountNumber,
      account_name: name,
      bank_code: bankCode,
      bank_name: bankName,
    },
  }
}

/** An open refund becomes `processing` after a moment; Paystack has no reversed refund. */
export function refundStatusOf(transaction: Transaction): string {
  switch (transaction.state) {
    case 'completed':
      return 'processed'
    case 'failed':
    case 'canceled':
    case 'reversed':
      return 'failed'
    case 'action_required':
      return 'needs-attention'
    case 'pending':
      return transaction.plan.length === 0 ? 'processing' : 'pending'
  }
}

/** The answer contains the whole transaction, which alone has the reference. */
export function presentNewRefund(transaction: Transaction, charge: Transaction) {
  const refund = presentRefund(transaction)
  return {
    ...refund,
    transaction_reference: undefined,
    transaction: {
      id: refund.transaction,
      domain: 'test',
      reference: charge.reference,
      amount: subunitsOf(charge.amount),
      paid_at: charge.updatedAt,
      channel: charge.method,
      currency: charge.currency,
    },
    channel: null,
    expected_at: transaction.createdAt,
    fully_deducted: true,
  }
}

export function presentRefund(transaction: Transaction) {
  const details = refundDetailsOf(transaction)
  const amount = subunitsOf(transaction.amount)
  const status = refundStatusOf(transaction)
  return {
    integration: INTEGRATION,
    transaction: details.transactionId,
    dispute: null,
    settlement: null,
    id: details.id,
    domain: 'test',
    currency: transaction.currency,
    amount,
    status,
    refunded_at: status === 'processed' ? transaction.updatedAt : null,
    refunded_by: 'simulator@example.com',
    customer_note: details.customerNote,
    merchant_note: details.merchantNote,
    deducted_amount: amount,
    fully_deducted: 1,
    createdAt: transaction.createdAt,
    updatedAt: transaction.updatedAt,
    bank_reference: null,
    transaction_reference: details.transactionReference,
    reason: status.toUpperCase(),
    customer: customerOf(details.email),
    refund_type: amount === details.transactionSubunits ? 'full' : 'partial',
    transaction_amount: details.transactionSubunits,
    initiated_by: 'simulator@example.com',
    refund_channel: 'simulator',
    session_id: null,
    collect_account_number: false,
  }
}
