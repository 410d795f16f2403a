import { adyenConnector } from './adyen/connector.ts'
import { circleConnector } from './circle/connector.ts'
import { flutterwaveConnector } from './flutterwave/connector.ts'
import type { ConnectorDefinition, ProviderName } from './kit/connector.ts'
import { manualConnector } from './manual/connector.ts'
import { mpesaConnector } from './mpesa/connector.ts'
import { pawapayConnector } from './pawapay/connector.ts'
import { paystackConnector } from './paystack/connector.ts'
import { stripeConnector } from './stripe/connector.ts'
import { truelayerConnector } from './truelayer/connector.ts'
import { yellowcardConnector } from './yellowcard/connector.ts'

/** Every connector, one line each. */
export const connectorDefinitions: Partial<Record<ProviderName, ConnectorDefinition>> = {
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
}
