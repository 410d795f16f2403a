import type { Database } from '../../db/database.ts'
import { createCache, type Cache } from '../../lib/bounded-cache.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { listActiveProviders } from '../provider-configs/list-active-providers.ts'
import type { ConnectorSource } from '../provider-configs/load-connector.ts'
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
    const providers = [...new Set(active.map(({ provider }) => provider))]
    if (providers.length === 0) return []
    const freshSince = new Date(deps.clock.now().getTime() - freshMs)
    const known = await deps.db.acrossOrgs((tx) =>
      selectNetworksAcrossOrgs(tx, { country, providers, freshSince }),
    )
    const missing = providers.filter((provider) => !known.some((row) => row.provider === provider))
    const fetched = await Promise.all(
      missing.map((provider) => refreshNetworks(deps, orgId, { provider, country })),
    )
    return [...known, ...fetched.flat()]
  })

/** Fetches and stores one provider's networks. A provider that does not answer does not affect the others. */
async function refreshNetworks(
  deps: NetworkDeps,
  orgId: string,
  key: { provider: string; country: string },
): Promise<NetworkRow[]> {
  const connector = await deps.connectors.load(orgId, key.provider)
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
    await deps.db.acrossOrgs((tx) => replaceNetworksAcrossOrgs(tx, key, rows))
    return rows
  } catch (error) {
    deps.log.warn({ err: error, provider: key.provider }, 'provider did not list its networks')
    return []
  }
}
