import type { Connector } from '../../connectors/kit/connector.ts'
import type { PaymentDeps } from '../payments/payment-deps.ts'
import type { ScreeningDeps } from './screening/screen-address.ts'
import { walletConnector } from '../../wallet/wallet-connector.ts'
import type { WalletDeps } from '../../wallet/wallet-deps.ts'

/** What moving a ramp takes. */
export type RampDeps = PaymentDeps & WalletDeps & ScreeningDeps

/** Our own wallet is a provider like the others, as far as a leg can tell. */
export const loadLegConnector = (
  deps: RampDeps,
  orgId: string,
  provider: string,
): Promise<Connector | undefined> =>
  provider === 'crypto'
    ? Promise.resolve(walletConnector(deps, orgId))
    : deps.connectors.load(orgId, provider)
