import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { json } from './answer.ts'
import type { Clock } from './clock.ts'
import type { FaultBook } from './faults.ts'
import { jsonBodyOf } from './json-body.ts'
import { serveRoute } from './serve-route.ts'

/** Units of each currency per US dollar. They are fixed, so that tests can compute with them. */
const RATES: Readonly<Record<string, string>> = {
  USD: '1',
  EUR: '0.9215',
  GBP: '0.7880',
  NGN: '1530.25',
  KES: '129.35',
  GHS: '15.20',
  UGX: '3695.50',
  ZAR: '18.15',
  XOF: '604.45',
  XAF: '604.45',
  TZS: '2585.00',
  RWF: '1405.00',
  ZMW: '26.85',
  MWK: '1734.00',
  MZN: '63.90',
  ETB: '118.50',
  CDF: '2850.00',
  SLE: '22.80',
  LSL: '18.15',
  CAD: '1.3820',
  JPY: '149.60',
  CNY: '7.1250',
  INR: '84.10',
  USDC: '1',
  USDT: '1.0002',
  EURC: '0.9215',
  BTC: '0.0000154',
  ETH: '0.000385',
}

const overrideSchema = z.strictObject({
  rates: z
    .record(z.string().regex(/^[A-Z0-9]{2,10}$/), z.string().regex(/^\d{1,18}(\.\d{1,18})?$/))
    .refine((rates) => Object.keys(rates).length <= LIMITS.rates, 'too many rates'),
})

interface RateFeed {
  readonly override: (rates: Readonly<Record<string, string>>) => void
}

export function serveRates(app: FastifyInstance, faults: FaultBook, clock: Clock): RateFeed {
  let rates = RATES
  const host = {
    clock,
    faults,
    errors: {
      serverError: json(500, { error: 'rates are out of order' }),
      rateLimited: json(429, { error: 'too many requests' }, { 'retry-after': '1' }),
    },
    authenticate: () => json(401, { error: 'unreachable: this route is open' }),
  }
  const override = (changes: Readonly<Record<string, string>>) => {
    rates = { ...rates, ...changes }
  }
  serveRoute(app, host, {
    method: 'GET',
    path: '/rates',
    on: 'quote',
    open: true,
    handle: () => json(200, { base: 'USD', as_of: clock.now().toISOString(), rates }),
  })
  app.put('/rates', async (request, reply) => {
    const parsed = overrideSchema.safeParse(jsonBodyOf(request))
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) })
    override(parsed.data.rates)
    return { base: 'USD', rates }
  })
  app.delete('/rates', async () => {
    rates = RATES
    return { base: 'USD', rates }
  })
  return { override }
}
