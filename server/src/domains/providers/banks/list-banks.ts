import { createCache, type Cache } from '../../../lib/flow/bounded-cache.ts'
import type { Carrier } from '../accounts/record.ts'
import { listActiveProviders } from '../configs/reads.ts'
import type { BankDeps, BankRow, KnownBank } from './record.ts'
import { selectBanksAcrossOrgs, replaceBanksAcrossOrgs } from './store.ts'

/** Lists of banks change rarely. */
const freshMs = 24 * 60 * 60_000

export const createBankCache = (): Cache<BankRow[]> => createCache({ limit: 2_000, ttlMs: 5 * 60_000 })

/** The banks that the organisation's active providers can pay to in a country, by name. */
export async function listBanks(deps: BankDeps, orgId: string, country: string): Promise<KnownBank[]> {
  const rows = await deps.bankCache.get(`${orgId} ${country}`, () => readBanks(deps, orgId, country))
  const byCode = Map.groupBy(rows, ({ code }) => code)
  const banks = [...byCode].map(([code, same]) => ({
    code,
    name: same[0]?.name ?? code,
    providers: [...new Set(same.map(({ provider }) => provider))],
  }))
  return banks.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.code < b.code ? -1 : 1))
}

async function readBanks(deps: BankDeps, orgId: string, country: string): Promise<BankRow[]> {
  const active = await listActiveProviders(deps, orgId, { country, paymentMethod: 'bank_transfer' })
  const providers = active.map(({ provider }) => provider)
  if (providers.length === 0) return []
  const freshSince = new Date(deps.clock.now().getTime() - freshMs)
  const known = await deps.db.acrossOrgs((tx) =>
    selectBanksAcrossOrgs(tx, { country, providers, freshSince }),
  )
  const missing = active.filter(({ provider }) => !known.some((row) => row.provider === provider))
  const fetched = await Promise.all(
    missing.map(({ provider, carrier }) => fetchBanks(deps, orgId, { provider, carrier, country })),
  )
  return [...known, ...fetched.flat()]
}

/** A provider that does not answer does not affect the others. Only what the installation's account lists is stored. */
async function fetchBanks(
  deps: BankDeps,
  orgId: string,
  { carrier, ...key }: { provider: string; country: string; carrier: Carrier },
): Promise<BankRow[]> {
  if (carrier.accountId === null) return []
  const connector = await deps.connectors.load(orgId, carrier.accountId)
  if (!connector?.listBanks) return []
  try {
    const banks = await connector.listBanks(key.country)
    const rows = banks.map(({ code, name }) => ({ ...key, code, name }))
    if (carrier.custody === 'pooled') await deps.db.acrossOrgs((tx) => replaceBanksAcrossOrgs(tx, key, rows))
    return rows
  } catch (error) {
    deps.log.warn({ err: error, provider: key.provider }, 'provider did not list its banks')
    return []
  }
}
