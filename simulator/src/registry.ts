import type { Protocol } from './protocol.ts'
import { adyen } from './protocols/adyen/protocol.ts'
import { circle } from './protocols/circle/protocol.ts'
import { flutterwave } from './protocols/flutterwave/protocol.ts'
import { mpesa } from './protocols/mpesa/protocol.ts'
import { pawapay } from './protocols/pawapay/protocol.ts'
import { paystack } from './protocols/paystack/protocol.ts'
import { stripe } from './protocols/stripe/protocol.ts'
import { sumsub } from './protocols/sumsub/protocol.ts'
import { truelayer } from './protocols/truelayer/protocol.ts'
import { yellowcard } from './protocols/yellowcard/protocol.ts'

export const PROTOCOLS: readonly Protocol[] = [
  adyen,
  circle,
  flutterwave,
  mpesa,
  pawapay,
  paystack,
  stripe,
  sumsub,
  truelayer,
  yellowcard,
]

/** The credentials, by provider, that an operator stores in Switchyard to use a simulator at this address. */
export const sandboxCredentials = (simulatorUrl: string): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    PROTOCOLS.flatMap(({ name, sandbox }) =>
      sandbox.credentials ? [[name, sandbox.credentials(`${simulatorUrl}/${name}`)]] : [],
    ),
  )
