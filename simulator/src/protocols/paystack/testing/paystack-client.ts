import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Simulator } from '../../../simulator.ts'
import { http, type HttpAnswer, type HttpCall } from '../../../testing/http.ts'

export const PAYSTACK_KEY = 'sk_test_switchyard_sandbox'

const recipientAnswerSchema = z.object({ data: z.object({ recipient_code: z.string() }) })

export interface PaymentInput {
  readonly reference?: string
  /** The amount in subunits. */
  readonly amount?: number
  readonly currency?: string
  readonly phone?: string
  readonly provider?: string
  readonly accountNumber?: string
  readonly timeoutMs?: number
  readonly more?: Readonly<Record<string, unknown>>
}

export interface PaystackClient {
  readonly call: (path: string, call?: HttpCall) => Promise<HttpAnswer>
  readonly post: (path: string, body: object, timeoutMs?: number) => Promise<HttpAnswer>
  readonly initialize: (input?: PaymentInput) => Promise<HttpAnswer>
  readonly charge: (input?: PaymentInput) => Promise<HttpAnswer>
  readonly chargeByBank: (input?: PaymentInput) => Promise<HttpAnswer>
  readonly recipient: (input?: PaymentInput) => Promise<string>
  /** Creates a recipient in Nigeria and sends a transfer to it. */
  readonly transfer: (input?: PaymentInput) => Promise<HttpAnswer>
  readonly verify: (reference: string) => Promise<HttpAnswer>
  readonly verifyTransfer: (reference: string) => Promise<HttpAnswer>
}

export function createPaystackClient(simulator: Simulator, key = PAYSTACK_KEY): PaystackClient {
  const call = (path: string, options: HttpCall = {}) =>
    http(`${simulator.providerUrl('paystack')}${path}`, {
      ...options,
      headers: { authorization: `Bearer ${key}`, ...options.headers },
    })
  const post = (path: string, body: object, timeoutMs?: number) =>
    call(path, { method: 'POST', body, ...(timeoutMs !== undefined && { timeoutMs }) })
  const terms = (input: PaymentInput, currency: string) => ({
    email: 'payer@example.com',
    amount: input.amount ?? 15_000,
    currency: input.currency ?? currency,
    reference: input.reference ?? randomUUID(),
    ...input.more,
  })
  const recipient = async (input: PaymentInput = {}) => {
    const answer = await post('/transferrecipient', {
      type: 'nuban',
      name: 'Ada Obi',
      account_number: input.accountNumber ?? '0123456789',
      bank_code: '058',
      currency: 'NGN',
    })
    return recipientAnswerSchema.parse(answer.json()).data.recipient_code
  }
  return {
    call,
    post,
    recipient,
    initialize: (input = {}) => post('/transaction/initialize', terms(input, 'NGN'), input.timeoutMs),
    charge: (input = {}) => {
      const mobileMoney = { phone: input.phone ?? '0551234987', provider: input.provider ?? 'mtn' }
      return post('/charge', { ...terms(input, 'GHS'), mobile_money: mobileMoney }, input.timeoutMs)
    },
    chargeByBank: (input = {}) =>
      post('/charge', { ...terms(input, 'NGN'), bank_transfer: {} }, input.timeoutMs),
    transfer: async (input = {}) =>
      post(
        '/transfer',
        {
          source: 'balance',
          amount: input.amount ?? 15_000,
          recipient: await recipient(input),
          reference: input.reference ?? randomUUID(),
          ...input.more,
        },
        input.timeoutMs,
      ),
    verify: (reference) => call(`/transaction/verify/${reference}`),
    verifyTransfer: (reference) => call(`/transfer/verify/${reference}`),
  }
}
