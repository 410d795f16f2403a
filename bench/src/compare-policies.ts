import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { z } from 'zod'
import { compare, type CompareOptions } from './compare.ts'
import { startBenchInstallation, type BenchInstallation } from './installation.ts'
import { asOwner } from './owner.ts'
import { payment } from './run-load.ts'

const followTries = 50
const followPauseMs = 100

/** The cost of a routing policy: the same installation with and without one, in turns. */
export async function benchComparePolicies(options: CompareOptions): Promise<void> {
  const installation = await startBenchInstallation()
  try {
    await comparePolicies(installation, options)
  } finally {
    await installation.stop()
  }
}

async function comparePolicies(installation: BenchInstallation, options: CompareOptions): Promise<void> {
  const call = createCaller(installation)
  await writeSignals(installation)
  let isPublished = false
  /** Waits until the api routes by this strategy. */
  const followed = async (strategy: string): Promise<void> => {
    const { body } = payment(installation)
    for (let tries = 0; tries < followTries; tries += 1) {
      const { data } = previewed.parse(await call('POST', '/v1/payments-init/preview', JSON.parse(body)))
      if (data.routing.strategy === strategy) return
      await delay(followPauseMs)
    }
    throw new Error(`the api does not route by ${strategy}`)
  }
  await compare(
    [
      {
        name: 'no policy',
        installation,
        prepare: async () => {
          if (isPublished) await call('POST', '/v1/routing/policies/withdraw', {})
          isPublished = false
          await followed('priority')
        },
      },
      {
        name: 'a policy',
        installation,
        prepare: async () => {
          const { data } = drafted.parse(
            await call('PUT', '/v1/routing/policies/draft', { document: policy }),
          )
          await call('POST', `/v1/routing/policies/${data.version}/publish`, {})
          isPublished = true
          await followed('success_rate')
        },
      },
    ],
    options,
  )
}

const learning = {
  type: 'success_rate',
  hysteresis_percent: 2,
  // Explorations would go to another provider, which is not what is compared.
  exploration_percent: 0,
  daily_limit: 0,
  order: [{ provider: 'pawapay' }],
}
/** The last of several rules is the one that applies to the payments of the benchmark. */
const policy = {
  rules: [
    {
      name: 'Cards',
      when: { direction: 'payin', method: ['card'], card_brand: ['visa'] },
      strategy: learning,
    },
    { name: 'Large', when: { amount: { currency: 'UGX', min: 1_000_000 } }, strategy: { type: 'cost' } },
    { name: 'Friends', when: { metadata: { plan: ['gold', 'silver'] } }, strategy: learning },
    { name: 'Nights', when: { country: ['KE'], network: ['MPESA'] }, strategy: { type: 'priority' } },
    { name: 'Mobile money', when: { method: ['mobile_money'], country: ['UG'] }, strategy: learning },
  ],
  otherwise: { type: 'priority' },
}
const previewed = z.object({ data: z.object({ routing: z.object({ strategy: z.string() }) }) })
const drafted = z.object({ data: z.object({ version: z.number() }) })

const createCaller =
  ({ apiUrl, apiKey }: BenchInstallation) =>
  async (method: 'PUT' | 'POST', path: string, body: object): Promise<unknown> => {
    const headers = { authorization: 'NONE', 'x-api-key': apiKey, 'content-type': 'application/json' }
    const answer = await request(`${apiUrl}${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode} ${text}`)
    return JSON.parse(text)
  }

/** The success rates that a worker would have learnt; the benchmark has none. They last for the whole run. */
async function writeSignals({ ownerUrl }: BenchInstallation): Promise<void> {
  const weights = {
    success: 900,
    total: 1_000,
    unknown: 0,
    costShare: 9,
    costed: 900,
    latencies: Array(17).fill(50),
  }
  await asOwner(ownerUrl, (owner) =>
    owner.query(
      `insert into routing_weights (account_id, direction, method, country, card_brand, current, updated_at)
       select distinct account_id, 'payin', 'mobile_money', 'UG', '', $1::jsonb, now() from provider_accounts`,
      [JSON.stringify(weights)],
    ),
  )
}
