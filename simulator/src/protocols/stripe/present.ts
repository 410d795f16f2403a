import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { bankAddressOf } from './bank-addresses.ts'
import { minorOf, paymentDetailsOf, refundDetailsOf, secondsOf, type PaymentDetails } from './details.ts'
import { paymentErrorOf } from './errors.ts'
import { chargeId, intentId, isSession, paymentMethodId, sessionId, suffixOf } from './ids.ts'

type IntentStatus = 'canceled' | 'processing' | 'requires_action' | 'requires_payment_method' | 'succeeded'

export function intentStatusOf(transaction: Transaction): IntentStatus {
  switch (transaction.state) {
    case 'pending':
      return 'processing'
    case 'completed':
    // A reversal does not change the intent, only the charge.
    case 'reversed':
      return 'succeeded'
    case 'failed':
      return 'requires_payment_method'
    case 'canceled':
      return 'canceled'
    case 'action_required': {
      const { isAuthenticating, bankTransfer } = paymentDetailsOf(transaction)
      const waits = isAuthenticating === true || bankTransfer !== undefined
      return waits ? 'requires_action' : 'requires_payment_method'
    }
  }
}

export function presentIntent(kit: Kit, transaction: Transaction) {
  const details = paymentDetailsOf(transaction)
  const suffix = suffixOf(transaction.providerRef)
  const status = intentStatusOf(transaction)
  const amount = minorOf(transaction)
  const isPaid = status === 'succeeded'
  return {
    id: intentId(suffix),
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: isPaid ? amount : (details.receivedMinor ?? 0),
    canceled_at: status === 'canceled' ? secondsOf(transaction.updatedAt) : null,
    cancellation_reason: status === 'canceled' ? 'requested_by_customer' : null,
    capture_method: 'automatic',
    client_secret: clientSecretOf(suffix),
    confirmation_method: 'automatic',
    created: secondsOf(transaction.createdAt),
    currency: transaction.currency.toLowerCase(),
    customer: details.customer ?? null,
    description: details.description ?? null,
    last_payment_error: lastPaymentErrorOf(transaction, details),
    latest_charge: isPaid || status === 'processing' ? chargeId(suffix) : null,
    livemode: false,
    metadata: details.metadata,
    next_action: status === 'requires_action' ? nextActionOf(kit, transaction, details) : null,
    payment_method: status === 'requires_payment_method' ? null : paymentMethodId(suffix),
    payment_method_types: [details.bankTransfer === undefined ? 'card' : 'customer_balance'],
    receipt_email: details.receiptEmail ?? null,
    status,
  }
}

export function clientSecretOf(suffix: string): string {
  return `${intentId(suffix)}_secret_sandbox`
}

export function presentSession(kit: Kit, transaction: Transaction) {
  const { session, ...details } = paymentDetailsOf(transaction)
  const suffix = suffixOf(transaction.providerRef)
  const status = sessionStatusOf(transaction)
  const amount = minorOf(transaction)
  return {
    id: sessionId(suffix),
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, status: null },
    cancel_url: session?.cancelUrl ?? null,
    client_reference_id: session?.clientReferenceId ?? null,
    created: secondsOf(transaction.createdAt),
    currency: transaction.currency.toLowerCase(),
    custom_fields: [],
    custom_text: { shipping_address: null, submit: null },
    customer: null,
    customer_email: session?.customerEmail ?? null,
    expires_at: session?.expiresAtSeconds ?? 0,
    livemode: false,
    metadata: session?.metadata ?? {},
    mode: 'payment',
    payment_intent: details.hasTried === true ? intentId(suffix) : null,
    payment_method_types: ['card'],
    payment_status: ['completed', 'reversed'].includes(transaction.state) ? 'paid' : 'unpaid',
    shipping_options: [],
    status,
    success_url: session?.successUrl ?? '',
    url: status === 'open' ? checkoutUrlOf(kit, transaction) : null,
  }
}

export function sessionStatusOf(transaction: Transaction): 'open' | 'complete' | 'expired' {
  if (transaction.state === 'action_required') return 'open'
  return transaction.state === 'canceled' ? 'expired' : 'complete'
}

export function presentRefund(transaction: Transaction) {
  const { metadata, reason, suffix } = refundDetailsOf(transaction)
  const { failure } = transaction
  return {
    id: transaction.providerRef,
    object: 'refund',
    amount: minorOf(transaction),
    balance_transaction: null,
    charge: chargeId(suffix),
    created: secondsOf(transaction.createdAt),
    currency: transaction.currency.toLowerCase(),
    metadata,
    payment_intent: intentId(suffix),
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refundStatusOf(transaction),
    transfer_reversal: null,
    ...(failure && { failure_reason: failure.code }),
  }
}

/** The charge in `charge.refunded`. As in newer API versions, it does not include its refunds. */
export function presentCharge(transaction: Transaction, refundedMinor: number) {
  const { card, bankTransfer, metadata, description } = paymentDetailsOf(transaction)
  const suffix = suffixOf(transaction.providerRef)
  const amount = minorOf(transaction)
  return {
    id: chargeId(suffix),
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: refundedMinor,
    billing_details: { address: null, email: null, name: null, phone: null },
    captured: true,
    created: secondsOf(transaction.createdAt),
    currency: transaction.currency.toLowerCase(),
    description: description ?? null,
    disputed: false,
    livemode: false,
    metadata,
    paid: true,
    payment_intent: intentId(suffix),
    payment_method: paymentMethodId(suffix),
    payment_method_details:
      bankTransfer === undefined
        ? { type: 'card', card }
        : { type: 'customer_balance', customer_balance: {} },
    refunded: refundedMinor >= amount,
    status: 'succeeded',
  }
}

export function checkoutUrlOf(kit: Kit, { account, providerRef }: Transaction): string {
  return `${kit.publicUrl()}/stripe/checkout/${encodeURIComponent(account)}/${providerRef}`
}

export function authenticationUrlOf(kit: Kit, { account, providerRef }: Transaction): string {
  const id = intentId(suffixOf(providerRef))
  return `${kit.publicUrl()}/stripe/3d_secure/${encodeURIComponent(account)}/${id}`
}

function refundStatusOf(transaction: Transaction): string {
  switch (transaction.state) {
    case 'completed':
      return 'succeeded'
    case 'failed':
    // A reversed refund is shown as failed.
    case 'reversed':
      return 'failed'
    case 'canceled':
      return 'canceled'
    case 'pending':
    case 'action_required':
      return 'pending'
  }
}

function lastPaymentErrorOf(transaction: Transaction, details: PaymentDetails) {
  const code =
    transaction.state === 'failed' ? transaction.failure?.code : (details.paymentErrorCode ?? undefined)
  return code === undefined ? null : paymentErrorOf(code)
}

function nextActionOf(kit: Kit, transaction: Transaction, details: PaymentDetails) {
  if (details.bankTransfer === undefined) {
    const returnUrl = isSession(transaction) ? checkoutUrlOf(kit, transaction) : (details.returnUrl ?? null)
    return {
      type: 'redirect_to_url',
      redirect_to_url: { return_url: returnUrl, url: authenticationUrlOf(kit, transaction) },
    }
  }
  const suffix = suffixOf(transaction.providerRef)
  return {
    type: 'display_bank_transfer_instructions',
    display_bank_transfer_instructions: {
      amount_remaining: minorOf(transaction) - (details.receivedMinor ?? 0),
      currency: transaction.currency.toLowerCase(),
      financial_addresses: [bankAddressOf(details.bankTransfer, details.customer ?? '')],
      hosted_instructions_url: null,
      reference: suffix.slice(0, 12).toUpperCase(),
      type: details.bankTransfer.type,
    },
  }
}
