import { walletConnector } from './wallet/build-connector.ts'
import type { LoadedConnector } from '../../providers/accounts/load-connector.ts'
import type { Leg, RampDeps } from './record.ts'

/** Our own wallet implements the connector contract, so a leg treats it like any other provider. */
export async function loadLegConnector(
  deps: RampDeps,
  orgId: string,
  { provider, accountId }: Pick<Leg, 'provider' | 'accountId'>,
): Promise<LoadedConnector | undefined> {
  if (provider === 'crypto') return walletConnector(deps, orgId)
  return accountId === null ? undefined : deps.connectors.load(orgId, accountId)
}
