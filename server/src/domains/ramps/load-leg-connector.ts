import type { Connector } from '../../connectors/kit/connector.ts'
import { walletConnector } from '../../wallet/connector.ts'
import type { RampDeps } from './record.ts'

/** Our own wallet implements the connector contract, so a leg treats it like any other provider. */
export const loadLegConnector = (
  deps: RampDeps,
  orgId: string,
  provider: string,
): Promise<Connector | undefined> =>
  provider === 'crypto'
    ? Promise.resolve(walletConnector(deps, orgId))
    : deps.connectors.load(orgId, provider)
