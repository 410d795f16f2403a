import type { Transaction } from '../../core/transaction.ts'
import {
  chargeDetailsSchema,
  refundDetailsSchema,
  transferDetailsSchema,
  type ChargeDetails,
  type RefundDetails,
  type TransferDetails,
} from './schema.ts'

/** The part of a charge that Flutterwave stores. */
const FEE_PERCENT = 1.4

const ACCOUNT_ID = 17_321

export const chargeDetailsOf = (transaction: Transaction): ChargeDetails =>
  chargeDetailsSchema.parse(transaction.details)
const transferDetailsOf = (transaction: Transaction): TransferDetails =>
  transferDetailsSchema.parse(transaction.details)
export const refundDetailsOf = (transaction: Transaction): RefundDetails =>
  refundDetailsSchema.parse(transaction.details)

/** Flutterwave has no status for a reversed charge, so it is shown as failed. */
export function chargeStatusOf({ state }: Transaction): 'pending' | 'successful' | 'failed' {
  if (state === 'completed') return 'successful'
  return state === 'pending' || state === 'action_required' ? 'pending' : 'failed'
}

export function presentCharge(transaction: Transaction) {
  const details = chargeDetailsOf(transaction)
  const status = chargeStatusOf(transaction)
  const amount = Number(transaction.amount)
  return {
    id: details.id,
    tx_ref: transaction.reference,
    flw_ref: details.flwRef,
    device_fingerprint: 'N/A',
    amount,
    charged_amount: amount,
    app_fee: status === 'successful' ? Math.round(amount * FEE_PERCENT) / 100 : 0,
    merchant_fee: 0,
    processor_response: transaction.failure?.message ?? (status === 'successful' ? 'Approved' : 'Pending'),
    auth_model: details.authModel,
    currency: transaction.currency,
    ip: '127.0.0.1',
    narration: 'Switchyard Sandbox',
    status,
    payment_type: transaction.method,
    fraud_status: 'ok',
    charge_type: 'normal',
    created_at: transaction.createdAt,
    account_id: ACCOUNT_ID,
    customer: {
      id: details.id,
      phone_number: details.phone ?? null,
      name: 'Anonymous Customer',
      email: details.email,
      created_at: transaction.createdAt,
    },
    ...(details.card && { card: details.card }),
  }
}

export function transferStatusOf({ state, updatedAt, createdAt }: Transaction): string {
  if (state === 'completed') return 'SUCCESSFUL'
  if (state === 'pending' || state === 'action_required') return updatedAt === createdAt ? 'NEW' : 'PENDING'
  return 'FAILED'
}

export function presentTransfer(transaction: Transaction) {
  const details = transferDetailsOf(transaction)
  const status = transferStatusOf(transaction)
  return {
    id: details.id,
    account_number: details.accountNumber,
    bank_code: details.bankCode,
    full_name: details.fullName,
    created_at: transaction.createdAt,
    currency: transaction.currency,
    debit_currency: transaction.currency,
    amount: Number(transaction.amount),
    fee: 0,
    status,
    reference: transaction.reference,
    meta: null,
    narration: details.narration,
    approver: null,
    complete_message:
      transaction.failure?.message ?? (status === 'SUCCESSFUL' ? 'Transaction was successful' : ''),
    requires_approval: 0,
    is_approved: 1,
    bank_name: details.bankName,
  }
}

function refundStatusOf({ state }: Transaction): string {
  if (state === 'completed') return 'completed'
  return state === 'pending' || state === 'action_required' ? 'pending' : 'failed'
}

export function presentRefund(transaction: Transaction) {
  const details = refundDetailsOf(transaction)
  return {
    id: details.id,
    account_id: ACCOUNT_ID,
    tx_id: details.transactionId,
    transaction_id: details.transactionId,
    flw_ref: details.flwRef,
    wallet_id: ACCOUNT_ID,
    amount_refunded: Number(transaction.amount),
    status: refundStatusOf(transaction),
    destination: 'payment_source',
    comment: details.comment,
    settlement_id: 'NEW',
    meta: '{"source":"availablebalance"}',
    created_at: transaction.createdAt,
  }
}
