import { validationError } from '../../../lib/errors.ts'
import { listNetworks, type NetworkDeps } from './list-networks.ts'
import type { NetworkRow } from './record.ts'

export interface MatchedNetwork {
  brand: string
  /** The code of the network at each provider. */
  codes: Record<string, string>
}

/** Maps a network, by its `provider` or its `name` as we list them, to the code of each provider. */
export async function matchNetwork(
  deps: NetworkDeps,
  orgId: string,
  { name, country }: { name: string; country: string },
): Promise<MatchedNetwork> {
  const wanted = name.trim().toUpperCase()
  const networks = await listNetworks(deps, orgId, country)
  const chosen = findNetwork(networks, wanted)
  // The chosen row is the last, because a provider may have several codes of one network.
  const matching = chosen ? [...networks.filter(({ brand }) => brand === chosen.brand), chosen] : []
  if (networks.length > 0 && matching.length === 0)
    throw validationError(
      `mobile_money_details.provider: must be one of ${[...new Set(networks.map(({ brand }) => brand))].join(', ')}.`,
      [{ path: 'mobile_money_details.provider', message: 'is not a network of this country' }],
    )
  return {
    brand: chosen?.brand ?? wanted,
    codes: Object.fromEntries(matching.map(({ provider, code }) => [provider, code])),
  }
}

/** Our own name of a network is taken before a provider's name or code, which may be the same for another network. */
const findNetwork = (networks: readonly NetworkRow[], wanted: string): NetworkRow | undefined =>
  networks.find(({ brand }) => brand === wanted) ??
  networks.find(({ name }) => name.trim().toUpperCase() === wanted) ??
  networks.find(({ code }) => code.toUpperCase() === wanted)
