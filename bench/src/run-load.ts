import { join } from 'node:path'
import { z } from 'zod'
import type { BenchInstallation } from './installation.ts'
import { runMeasurement } from './run-measurement.ts'

const loadResult = z.object({
  total: z.number(),
  failed: z.number(),
  firstFailure: z.string(),
  perSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  cpuMs: z.number(),
})
export type LoadResult = z.infer<typeof loadResult>

/** Ends in the simulator's sentinel for a payment that is accepted and then remains pending. */
export const phoneNumber = '256772000113'

export const payment = (installation: BenchInstallation) => ({
  path: '/v1/payments-init/initiate',
  headers: { authorization: 'NONE', 'x-api-key': installation.apiKey, 'content-type': 'application/json' },
  body: JSON.stringify({
    amount: 5000,
    target_amount: 5000,
    currency: 'UGX',
    target_currency: 'UGX',
    payment_method: 'mobile_money',
    direction: 'payin',
    country: 'UG',
    client_reference: 'order-{uuid}',
    payer_details: { name: 'Grace Nakato', email: 'grace@example.com', phone: phoneNumber },
    mobile_money_details: { provider: 'MTN', phone_number: phoneNumber },
  }),
})

export type Load = { connections: number; warmUpSeconds: number; seconds: number; perSecond?: number }

export async function runLoad(installation: BenchInstallation, load: Load): Promise<LoadResult> {
  return runLoadOn({ origin: installation.apiUrl, ...payment(installation), ...load })
}

export async function runLoadOn(load: Load & { origin: string; path: string }): Promise<LoadResult> {
  const result = loadResult.parse(await runMeasurement(join(import.meta.dirname, 'load.ts'), load))
  if (result.failed > 0)
    throw new Error(`${result.failed} requests failed, the first with ${result.firstFailure}`)
  return result
}
