import {
  OutcomeUnknown,
  type ExchangeRate,
  type PaymentPreview,
  type PaymentsInitiateBody,
} from '@switchyard/sdk'
import { api } from '../../api/client.ts'
import { multiply } from '../../ui/decimal.ts'
import type { TypedPayment } from './read-payment.ts'

/** What was previewed, and is sent exactly like that. */
export interface Plan {
  body: PaymentsInitiateBody
  rate: ExchangeRate | undefined
  preview: PaymentPreview
  /** The payer or the beneficiary. */
  party: string
}

/** Locks a rate if the currencies differ, and asks what would become of the payment. Nothing is sent. */
export async function planPayment(typed: TypedPayment, party: string): Promise<Plan> {
  const { currency, target_currency } = typed
  const rate =
    currency === target_currency
      ? undefined
      : await api.rates.get({ fromCurrency: currency, toCurrency: target_currency })
  const body: PaymentsInitiateBody = {
    ...typed,
    target_amount: rate ? multiply(typed.amount, rate.rate) : typed.amount,
    ...(rate && { org_rate_id: rate.org_rate_id }),
  }
  return { body, rate, preview: await previewOf(body), party }
}

/** A preview sends nothing, so a broken one leaves no doubt: it failed. */
async function previewOf(body: PaymentsInitiateBody): Promise<PaymentPreview> {
  try {
    return await api.payments.preview(body)
  } catch (error) {
    throw error instanceof OutcomeUnknown ? error.cause : error
  }
}
