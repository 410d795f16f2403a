import { validationError } from '../../lib/errors.ts'
import { listNetworks, type NetworkDeps } from './list-networks.ts'

export interface MatchedNetwork {
  brand: string
  /** The code of the network at each provider. */
  codes: Record<string, string>
}

/** Maps a network as listed by the API to the code of each provider. */
export async function matchNetwork(
  deps: NetworkDeps,
  orgId: string,
  named: { name: string; country: string },
): Promise<MatchedNetwork> {
  const wanted = named.name.toUpperCase()
  const networks = await listNetworks(deps, orgId, named.country)
  const matching = networks.filter(
    (network) => network.brand === wanted || network.code.toUpperCase() === wanted,
  )
  if (networks.length > 0 && matching.length === 0)
    throw validationError(
      `mobile_money_details.provider: must be one of ${[...new Set(networks.map(({ brand }) => brand))].join(', ')}.`,
      [{ path: 'mobile_money_details.provider', message: 'is not a network of this country' }],
    )
  return {
    brand: matching[0]?.brand ?? wanted,
    codes: Object.fromEntries(matching.map(({ provider, code }) => [provider, code])),
  }
}
