import { randomUUID } from 'node:crypto'
import type { Simulator } from '../simulator.ts'
import { http, type HttpAnswer, type HttpCall } from './http.ts'

export const PAWAPAY_TOKEN = 'pawapay-sandbox-token'

export interface PaymentInput {
  readonly id?: string
  readonly amount?: string
  readonly currency?: string
  readonly phoneNumber?: string
  readonly provider?: string
  readonly timeoutMs?: number
  readonly more?: Readonly<Record<string, unknown>>
}

export interface PawapayClient {
  readonly call: (path: string, call?: HttpCall) => Promise<HttpAnswer>
  readonly deposit: (input?: PaymentInput) => Promise<HttpAnswer>
  readonly payout: (input?: PaymentInput) => Promise<HttpAnswer>
  readonly refund: (input: Readonly<Record<string, unknown>>) => Promise<HttpAnswer>
  readonly find: (kind: 'deposits' | 'payouts' | 'refunds', id: string) => Promise<HttpAnswer>
}

/** The default is Ghana, because its currency has cents. */
export function createPawapayClient(simulator: Simulator, token = PAWAPAY_TOKEN): PawapayClient {
  const call = (path: string, options: HttpCall = {}) =>
    http(`${simulator.providerUrl('pawapay')}${path}`, {
      ...options,
      headers: { authorization: `Bearer ${token}`, ...options.headers },
    })
  const party = (input: PaymentInput) => ({
    type: 'MMO',
    accountDetails: {
      phoneNumber: input.phoneNumber ?? '233593456789',
      provider: input.provider ?? 'MTN_MOMO_GHA',
    },
  })
  const terms = (input: PaymentInput) => ({ amount: input.amount ?? '15', currency: input.currency ?? 'GHS' })
  const post = (path: string, body: object, timeoutMs?: number) =>
    call(path, { method: 'POST', body, ...(timeoutMs !== undefined && { timeoutMs }) })
  return {
    call,
    deposit: (input = {}) => {
      const depositId = input.id ?? randomUUID()
      const body = { depositId, ...terms(input), payer: party(input), ...input.more }
      return post('/v2/deposits', body, input.timeoutMs)
    },
    payout: (input = {}) => {
      const payoutId = input.id ?? randomUUID()
      const body = { payoutId, ...terms(input), recipient: party(input), ...input.more }
      return post('/v2/payouts', body, input.timeoutMs)
    },
    refund: (input) => post('/v2/refunds', { refundId: randomUUID(), ...input }),
    find: (kind, id) => call(`/v2/${kind}/${id}`),
  }
}
