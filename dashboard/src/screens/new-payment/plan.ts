import {
  OutcomeUnknown,
  type ExchangeRate,
  type PaymentPreview,
  type PaymentsInitiateBody,
} from '@switchyard/sdk'
import { api } from '../../api/client.ts'
import { multiply } from '../../ui/decimal.ts'
import type { PaymentDraft } from './read-payment.ts'

/** The previewed request, which is sent unchanged. */
export interface Plan {
  body: PaymentsInitiateBody
  rate: ExchangeRate | undefined
  preview: PaymentPreview
  /** The payer or the beneficiary. */
  party: string
}

/** Locks a rate if the currencies differ, and requests the preview. This sends no payment. */
export async function planPayment(typed: PaymentDraft, party: string): Promise<Plan> {
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

/** A preview sends no payment, so a lost response is simply a failure. */
async function previewOf(body: PaymentsInitiateBody): Promise<PaymentPreview> {
  try {
    return await api.payments.preview(body)
  } catch (error) {
    throw error instanceof OutcomeUnknown ? error.cause : error
  }
}
