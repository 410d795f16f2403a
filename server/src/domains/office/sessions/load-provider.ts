import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ClientAuth,
  type Configuration,
} from 'openid-client'
import type { Clock } from '../../../lib/clock.ts'
import { singleFlight } from '../../../lib/flow/single-flight.ts'
import type { IdentityProvider } from './record.ts'

interface ProviderSettings {
  issuer: string
  clientId: string
  /** A public client has none. */
  clientSecret: string | undefined
  scope: string
  orgClaim: string
  publicUrl: string
  /** For the identity provider of a development machine. */
  allowsHttp: boolean
}

const requestTimeoutSeconds = 5
const rediscoverAfterMs = 60 * 60_000
/** Providers that name no methods support Basic, which is the default of the standard. */
const defaultMethods = ['client_secret_basic']

/** Reads the provider's metadata at the first sign-in, so that the process starts without it, and again every hour. */
export function createIdentityProvider(settings: ProviderSettings, clock: Clock): IdentityProvider {
  const share = singleFlight<Configuration>()
  let known: { configuration: Configuration; readAtMs: number } | undefined
  const read = async (): Promise<Configuration> => {
    const configuration = await discover(settings)
    known = { configuration, readAtMs: clock.now().getTime() }
    return configuration
  }
  return {
    redirectUri: new URL('/auth/callback', settings.publicUrl).href,
    scope: settings.scope,
    orgClaim: settings.orgClaim,
    configuration: async () =>
      known && clock.now().getTime() - known.readAtMs < rediscoverAfterMs
        ? known.configuration
        : share('', read),
  }
}

async function discover(settings: ProviderSettings): Promise<Configuration> {
  const { clientSecret } = settings
  const configuration = await discovery(
    new URL(settings.issuer),
    settings.clientId,
    undefined,
    authenticateClient(clientSecret),
    {
      timeout: requestTimeoutSeconds,
      // The signature of the ID token is checked although it arrives over TLS, as the standard would permit.
      execute: [enableNonRepudiationChecks, ...(settings.allowsHttp ? [allowInsecureRequests] : [])],
    },
  )
  return configuration
}

/** Basic where the provider supports it; some support only the secret in the body. */
function authenticateClient(clientSecret: string | undefined): ClientAuth {
  if (clientSecret === undefined) return None()
  const basic = ClientSecretBasic(clientSecret)
  const post = ClientSecretPost(clientSecret)
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? defaultMethods
    const authenticate = methods.includes('client_secret_basic') ? basic : post
    return authenticate(server, client, body, headers)
  }
}
