import type { Simulator } from '../../../simulator.ts'
import { http, type HttpAnswer, type HttpCall } from '../../../testing/http.ts'

export const STRIPE_KEY = 'sk_test_switchyard_sandbox'
export const WEBHOOK_SECRET = 'whsec_switchyard_sandbox'
export const OK_CARD = '4242424242424242'

type Form = Readonly<Record<string, string>>

interface CardPaymentInput {
  readonly amount?: string
  readonly currency?: string
  readonly number?: string
  readonly key?: string
  readonly more?: Form
  readonly timeoutMs?: number | undefined
}

export interface StripeClient {
  readonly get: (path: string) => Promise<HttpAnswer>
  readonly post: (path: string, form?: Form, key?: string, timeoutMs?: number) => Promise<HttpAnswer>
  readonly payByCard: (input?: CardPaymentInput) => Promise<HttpAnswer>
  readonly openSession: (input?: Omit<CardPaymentInput, 'number'>) => Promise<HttpAnswer>
  readonly startTransfer: (input?: Omit<CardPaymentInput, 'number'>) => Promise<HttpAnswer>
}

export function createStripeClient(simulator: Simulator, secretKey = STRIPE_KEY): StripeClient {
  const call = (path: string, options: HttpCall) =>
    http(`${simulator.providerUrl('stripe')}${path}`, {
      ...options,
      headers: { authorization: `Bearer ${secretKey}`, ...options.headers },
    })
  const post: StripeClient['post'] = (path, form = {}, key, timeoutMs) =>
    call(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: new URLSearchParams(form).toString(),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
  return {
    get: (path) => call(path, {}),
    post,
    payByCard: ({ amount = '2000', currency = 'gbp', number = OK_CARD, key, more, timeoutMs } = {}) =>
      post('/v1/payment_intents', { ...cardForm(number), amount, currency, ...more }, key, timeoutMs),
    openSession: ({ amount = '2000', currency = 'gbp', key, more, timeoutMs } = {}) =>
      post('/v1/checkout/sessions', { ...sessionForm(amount, currency), ...more }, key, timeoutMs),
    startTransfer: async ({ amount = '2000', currency = 'gbp', key, more, timeoutMs } = {}) => {
      const customer = idOf(await post('/v1/customers', { name: 'Ada' }))
      const form = { ...transferForm(currency), customer, amount, currency, ...more }
      return post('/v1/payment_intents', form, key, timeoutMs)
    },
  }
}

export function idOf(answer: HttpAnswer): string {
  const body = answer.json() as { id: string } // Every object of Stripe has one.
  return body.id
}

/** Presses a button on a hosted page, as a browser would. */
export function press(url: string, decision: string, fields: Form = {}): Promise<HttpAnswer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return http(url, { method: 'POST', headers, body: new URLSearchParams({ decision, ...fields }).toString() })
}

function cardForm(number: string): Form {
  return {
    confirm: 'true',
    'payment_method_types[0]': 'card',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
    return_url: 'https://shop.test/back?order=1',
  }
}

function sessionForm(amount: string, currency: string): Form {
  return {
    mode: 'payment',
    success_url: 'https://shop.test/ok?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.test/no',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': currency,
    'line_items[0][price_data][unit_amount]': amount,
    'line_items[0][price_data][product_data][name]': 'Order 1',
  }
}

function transferForm(currency: string): Form {
  const type = currency === 'gbp' ? 'gb_bank_transfer' : 'eu_bank_transfer'
  const options = 'payment_method_options[customer_balance]'
  return {
    confirm: 'true',
    'payment_method_types[0]': 'customer_balance',
    'payment_method_data[type]': 'customer_balance',
    [`${options}[funding_type]`]: 'bank_transfer',
    [`${options}[bank_transfer][type]`]: type,
    ...(type === 'eu_bank_transfer' && { [`${options}[bank_transfer][eu_bank_transfer][country]`]: 'NL' }),
  }
}
