import type { Database } from '../../../kernel/db/database.ts'
import { createCache, type Cache } from '../../../lib/flow/bounded-cache.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { listActiveProviders } from '../configs/reads.ts'
import type { ConnectorSource } from '../accounts/load-connector.ts'
import type { Carrier } from '../accounts/record.ts'
import type { NetworkRow } from './record.ts'
import { brandOf } from './rules.ts'
import { replaceNetworksAcrossOrgs, selectNetworksAcrossOrgs } from './store.ts'

export interface NetworkDeps {
  db: Database
  clock: Clock
  connectors: ConnectorSource
  networkCache: Cache<NetworkRow[]>
  log: Log
}

const freshMs = 60 * 60_000

export const createNetworkCache = (): Cache<NetworkRow[]> => createCache({ limit: 10_000, ttlMs: 30_000 })

/** The networks that the organisation's active mobile money connectors reach in a country. */
export const listNetworks = (deps: NetworkDeps, orgId: string, country: string): Promise<NetworkRow[]> =>
  deps.networkCache.get(`${orgId} ${country}`, async () => {
    const active = await listActiveProviders(deps, orgId, { country, paymentMethod: 'mobile_money' })
    const providers = active.map(({ provider }) => provider)
    if (providers.length === 0) return []
    const freshSince = new Date(deps.clock.now().getTime() - freshMs)
    const known = await deps.db.acrossOrgs((tx) =>
      selectNetworksAcrossOrgs(tx, { country, providers, freshSince }),
    )
    const missing = active.filter(({ provider }) => !known.some((row) => row.provider === provider))
    const fetched = await Promise.all(
      missing.map(({ provider, carrier }) => fetchNetworks(deps, orgId, { provider, carrier, country })),
    )
    return [...known, ...fetched.flat()]
  })

/**
 * A provider that does not answer does not affect the others. Only what the installation's account lists is stored,
 * because every organisation reads it.
 */
async function fetchNetworks(
  deps: NetworkDeps,
  orgId: string,
  { carrier, ...key }: { provider: string; country: string; carrier: Carrier },
): Promise<NetworkRow[]> {
  if (carrier.accountId === null) return []
  const connector = await deps.connectors.load(orgId, carrier.accountId)
  if (!connector?.listNetworks) return []
  try {
    const networks = await connector.listNetworks(key.country)
    const rows = networks.map((network) => ({
      provider: key.provider,
      country: network.country,
      code: network.network,
      brand: brandOf(network.name, network.network),
      name: network.name,
      currency: network.currency,
      directions: [...network.directions],
      minAmount: network.minAmount ?? null,
      maxAmount: network.maxAmount ?? null,
      status: network.status,
    }))
    if (carrier.custody === 'pooled')
      await deps.db.acrossOrgs((tx) => replaceNetworksAcrossOrgs(tx, key, rows))
    return rows
  } catch (error) {
    deps.log.warn({ err: error, provider: key.provider }, 'provider did not list its networks')
    return []
  }
}
