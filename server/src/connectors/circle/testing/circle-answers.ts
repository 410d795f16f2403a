import { randomUUID } from 'node:crypto'
import type { Attempt, Connector } from '../../kit/connector.ts'
import type { HttpCall } from '../../kit/http-client.ts'
import { circleConnector } from '../connector.ts'

export const wireId = '8c33b3eb-67a4-4f3d-9f4e-2d8a4f1c2b6a'
export const sentId = 'df3b8e5f-9579-4c1f-9fa9-deac7f4be55c'
export const wallet = { network: 'BASE', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
export const usd = (amount: string) => ({ amount, currency: 'USD' })

type Answers = Record<string, unknown>

/** A connector whose calls get these answers, by method and path. */
export function circle(answers: Answers): { connector: Connector; calls: HttpCall[] } {
  const calls: HttpCall[] = []
  const connector = circleConnector.create({
    credentials: circleConnector.credentials.parse({
      apiKey: 'SAND_API_KEY:circle:switchyard',
      baseUrl: 'https://circle.test',
      holderAddress: { line1: '1 Main', city: 'Boston', district: 'MA', postalCode: '0', country: 'US' },
    }),
    clock: { now: () => new Date() },
    webhookUrl: 'https://api.test/hook',
    http: async (call) => {
      calls.push(call)
      const answer =
        answers[`${call.method} ${new URL(call.url).pathname.replace('/v1/businessAccount', '')}`]
      const [status, body] =
        Array.isArray(answer) && typeof answer[0] === 'number' ? answer : [200, { data: answer }]
      if (answer === undefined) return { kind: 'unknown', reason: 'no answer is defined' }
      return { kind: 'answered', status, headers: {}, body: JSON.stringify(body) }
    },
  })
  return { connector, calls }
}

export const attemptOf = (change: Partial<Attempt> = {}): Attempt => ({
  reference: randomUUID(),
  providerRef: wireId,
  direction: 'payin',
  method: 'bank_transfer',
  country: 'US',
  amount: { amountMinor: 10_000n, currency: 'USD' },
  createdAt: new Date('2026-11-15T00:00:00Z'),
  ...change,
})

export const wire = (status: string) => ({ id: wireId, status, trackingRef: 'CIR2VKZ9G6' })
export const deposit = (amount: string, status = 'complete', more: object = {}) => ({
  id: randomUUID(),
  status,
  amount: usd(amount),
  source: { type: 'wire', id: wireId },
  ...more,
})
