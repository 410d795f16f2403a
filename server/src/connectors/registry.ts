import { adyenConnector } from './adyen/connector.ts'
import { circleConnector } from './circle/connector.ts'
import { flutterwaveConnector } from './flutterwave/connector.ts'
import type { ConnectorDefinition } from './kit/connector.ts'
import { registerConnectors } from './kit/register-connectors.ts'
import { manualConnector } from './manual/connector.ts'
import { mpesaConnector } from './mpesa/connector.ts'
import { pawapayConnector } from './pawapay/connector.ts'
import { paystackConnector } from './paystack/connector.ts'
import { stripeConnector } from './stripe/connector.ts'
import { truelayerConnector } from './truelayer/connector.ts'
import { yellowcardConnector } from './yellowcard/connector.ts'

/** Every connector has one line here; its name becomes a value of `provider` in the API. */
export const connectorDefinitions = registerConnectors({
  adyen: adyenConnector,
  circle: circleConnector,
  flutterwave: flutterwaveConnector,
  manual: manualConnector,
  mpesa: mpesaConnector,
  pawapay: pawapayConnector,
  paystack: paystackConnector,
  stripe: stripeConnector,
  truelayer: truelayerConnector,
  yellowcard: yellowcardConnector,
})

/** Rails inside Switchyard: the on-chain wallet, book transfers in the ledger, and a ramp composed of two rails. */
const internalRails = ['crypto', 'fiat', 'hybrid'] as const

type ConnectorName = keyof typeof connectorDefinitions
export type ProviderName = ConnectorName | (typeof internalRails)[number]

/** `Object.keys` widens the keys to strings. */
export const connectorNames = Object.keys(connectorDefinitions) as readonly ConnectorName[]

/** The values of `provider` in the API. */
export const providerNames: readonly ProviderName[] = [...internalRails, ...connectorNames]

const byName: ReadonlyMap<string, ConnectorDefinition> = new Map(Object.entries(connectorDefinitions))

export const findConnector = (provider: string): ConnectorDefinition | undefined => byName.get(provider)
