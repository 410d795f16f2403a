import { takingMoney } from '../../core/dispute.ts'
import type { Transaction } from '../../core/transaction.ts'
import { idOfText, subunitsOf } from './identifiers.ts'
import { chargeDetailsSchema, type ChargeDetails } from './schema.ts'
import { isFullyRefunded, type Paystack } from './state.ts'

const FEE_PER_MILLE = 15

export const TEST_BANK = { name: 'Test Bank', slug: 'test-bank', id: 24 } as const

export function chargeDetailsOf(transaction: Transaction): ChargeDetails {
  return chargeDetailsSchema.parse(transaction.details)
}

/**
 * The status of `GET /transaction/verify`. An unpaid page is `abandoned`, even while it is open. The page "Verify
 * payments" on `reversed`: the transaction was refunded, or a chargeback was successfully logged for it.
 */
export function transactionStatusOf(paystack: Paystack, transaction: Transaction): string {
  switch (transaction.state) {
    case 'completed':
      return isFullyRefunded(paystack, transaction) || isChargedBack(paystack, transaction)
        ? 'reversed'
        : 'success'
    case 'failed':
      return 'failed'
    case 'reversed':
      return 'reversed'
    case 'canceled':
      return 'abandoned'
    case 'action_required':
      return chargeDetailsOf(transaction).flow === 'hosted' ? 'abandoned' : 'ongoing'
    case 'pending':
      return 'ongoing'
  }
}

const isChargedBack = ({ kit }: Paystack, transaction: Transaction): boolean =>
  takingMoney(kit.disputes, transaction).length > 0

/** The status of `/charge`, which describes the customer's next step. */
export function chargeStatusOf(paystack: Paystack, transaction: Transaction): string {
  const { flow } = chargeDetailsOf(transaction)
  if (transaction.state === 'action_required') return flow === 'mobile_money' ? 'send_otp' : 'pending'
  if (transaction.state === 'pending') return flow === 'bank_transfer' ? 'pending_bank_transfer' : 'pending'
  return transactionStatusOf(paystack, transaction)
}

/** The record in the form of verify, the list and `charge.success`. */
export function presentTransaction(paystack: Paystack, transaction: Transaction) {
  const details = chargeDetailsOf(transaction)
  const status = transactionStatusOf(paystack, transaction)
  const amount = subunitsOf(transaction.amount)
  const isPaid = status === 'success' || status === 'reversed'
  const paidAt = isPaid ? transaction.updatedAt : null
  return {
    id: details.id,
    domain: 'test',
    status,
    reference: transaction.reference,
    receipt_number: null,
    amount,
    message: transaction.failure?.message ?? null,
    gateway_response: gatewayResponseOf(transaction, status),
    paid_at: paidAt,
    created_at: transaction.createdAt,
    channel: transaction.method,
    currency: transaction.currency,
    ip_address: '127.0.0.1',
    metadata: details.flow === 'dedicated' ? receiverOf(details) : (details.metadata ?? {}),
    log: null,
    fees: isPaid ? Math.round((amount * FEE_PER_MILLE) / 1_000) : null,
    fees_split: null,
    authorization: authorizationOf(transaction, details),
    customer: customerOf(details.email),
    plan: null,
    split: {},
    subaccount: {},
    order_id: null,
    paidAt,
    createdAt: transaction.createdAt,
    requested_amount: amount,
    pos_transaction_data: null,
    source: null,
    fees_breakdown: null,
    connect: null,
    transaction_date: transaction.createdAt,
    plan_object: {},
  }
}

/** The short answer of `/charge` while the customer has to act, and the whole record afterwards. */
export function presentCharge(paystack: Paystack, transaction: Transaction, status: string) {
  const { reference } = transaction
  const details = chargeDetailsOf(transaction)
  const amount = subunitsOf(transaction.amount)
  switch (status) {
    case 'send_otp':
      return {
        reference,
        status,
        display_text: 'Please dial *110# to generate a voucher code. Then input the voucher',
      }
    case 'pay_offline':
      return {
        reference,
        status,
        display_text: 'Please complete authorization process on your mobile phone',
      }
    case 'pending':
      return { reference, status }
    case 'pending_bank_transfer':
      return {
        status,
        display_text: 'Please make a transfer to the account specified',
        reference,
        amount,
        account_name: 'PAYSTACK CHECKOUT',
        account_number: details.accountNumber,
        bank: TEST_BANK,
        account_expires_at: details.accountExpiresAt,
      }
    default:
      return { ...presentTransaction(paystack, transaction), redirect_url: null }
  }
}

export function customerOf(email: string) {
  return {
    id: idOfText(email),
    first_name: null,
    last_name: null,
    email,
    customer_code: `CUS_${idOfText(email).toString(36)}`,
    phone: null,
    metadata: null,
    risk_action: 'default',
    international_format_phone: null,
  }
}

function gatewayResponseOf(transaction: Transaction, status: string): string {
  if (transaction.failure !== undefined) return transaction.failure.message
  if (status === 'success') return 'Approved'
  if (status === 'reversed') return 'Reversed'
  return status === 'abandoned' ? 'The transaction was not completed' : 'Pending'
}

/** The page does not store the card number, so these are fixed values. */
function authorizationOf(transaction: Transaction, details: ChargeDetails) {
  if (transaction.state !== 'completed' && transaction.state !== 'reversed') return {}
  return {
    authorization_code: `AUTH_${idOfText(transaction.reference).toString(36)}`,
    bin: '000XXX',
    last4: (details.phone ?? details.accountNumber ?? '').slice(-4),
    exp_month: '12',
    exp_year: '9999',
    channel: transaction.method,
    card_type: '',
    bank: details.telco ?? TEST_BANK.name,
    country_code: transaction.currency.slice(0, 2),
    brand: '',
    reusable: false,
    signature: '',
    account_name: null,
    ...(details.flow === 'dedicated' && {
      sender_name: details.senderName ?? null,
      sender_bank: TEST_BANK.name,
      sender_bank_account_number: 'XXXXXX0001',
      narration: 'NIP transfer',
      receiver_bank: TEST_BANK.name,
      receiver_bank_account_number: details.accountNumber,
    }),
  }
}

const receiverOf = ({ accountNumber }: ChargeDetails) => ({
  receiver_account_number: accountNumber,
  receiver_bank: TEST_BANK.name,
  receiver_account_type: null,
})
