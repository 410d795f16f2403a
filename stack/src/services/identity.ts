import { interactionPolicy, Provider, type ClientMetadata, type Configuration, type JWK } from 'oidc-provider'
import { escapeHtml, htmlPage } from './html.ts'
import { startHttpListener } from './http-listener.ts'
import { loadIdentityKeys } from './identity-keys.ts'
import { memoryStore } from './identity-store.ts'
import type { AccountDirectory } from './identity-accounts.ts'
import { loopback } from './ports.ts'
import { serveSignIn, signInPath } from './sign-in-page.ts'

type IdentityOptions = {
  port: number
  dataDir: string
  accounts: AccountDirectory
  /** Where it is reached from other machines: without it, only on this one. */
  network?: { host: string; issuer: string; dashboardUrl: string }
}

export type Identity = {
  readonly issuer: string
  readonly jwksUrl: string
  readonly audience: string
  /** Issues an access token without a sign-in; it is valid for a day by default. */
  issueToken(accountId: string, orgId: string, options?: { ttlSeconds?: number }): Promise<string>
  stop(): Promise<void>
}

export const dashboardClientId = 'switchyard-dashboard'

const audience = 'switchyard'
// A resource indicator must be a URI; the audience in the token is the plain name.
const resource = 'urn:switchyard'
const scopes = 'openid email'
const daySeconds = 86_400

const resourceServer = {
  scope: scopes,
  audience,
  accessTokenFormat: 'jwt' as const,
  accessTokenTTL: daySeconds,
  jwt: { sign: { alg: 'ES256' as const } },
}

export async function startIdentity({
  port,
  dataDir,
  accounts,
  network,
}: IdentityOptions): Promise<Identity> {
  const issuer = network?.issuer ?? `http://${loopback}:${port}`
  const { signingKey, cookieKey } = await loadIdentityKeys(dataDir)
  const client = network ? networkClient(network.dashboardUrl) : dashboardClient()
  const provider = new Provider(issuer, providerConfiguration(accounts, client, { signingKey, cookieKey }))
  const handle = provider.callback()
  const listener = await startHttpListener(
    port,
    (request, response) => {
      const isSignIn = request.url?.startsWith(signInPath)
      const served = isSignIn ? serveSignIn(provider, accounts, request, response) : handle(request, response)
      served.catch((error: Error) => response.destroy(error))
    },
    network?.host,
  )

  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    audience,
    stop: () => listener.stop(),
    async issueToken(accountId, orgId, { ttlSeconds = daySeconds } = {}) {
      const [account, client] = await Promise.all([
        accounts.find(accountId),
        provider.Client.find(dashboardClientId),
      ])
      if (!account || !client) throw new Error(`the identity provider knows no account ${accountId}`)
      const token = new provider.AccessToken({
        accountId,
        client,
        grantId: (await fullGrant(provider, accountId)).jti,
        gty: 'authorization_code',
        scope: scopes,
        expiresIn: ttlSeconds,
        resourceServer: new provider.ResourceServer(resource, resourceServer),
        extra: { org_id: orgId, email: account.email, email_verified: true },
      })
      return token.save()
    },
  }
}

function providerConfiguration(
  accounts: AccountDirectory,
  client: ClientMetadata,
  { signingKey, cookieKey }: { signingKey: JWK; cookieKey: string },
): Configuration {
  return {
    adapter: memoryStore(),
    jwks: { keys: [signingKey] },
    cookies: { keys: [cookieKey] },
    clients: [client],
    clientBasedCORS: (_context, origin) => isLoopback(origin),
    claims: { openid: ['sub', 'org_id', 'amr'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: {
      AccessToken: daySeconds,
      Session: daySeconds,
      Grant: daySeconds,
      IdToken: 3_600,
      Interaction: 3_600,
    },
    interactions: { url: (_context, { uid }) => `${signInPath}${uid}`, policy: policyWithoutConsent() },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceServer,
      },
    },
    renderError(context, { error, error_description }) {
      context.type = 'html'
      context.body = htmlPage(
        'Signing in failed',
        `<p>${escapeHtml(`${error}: ${error_description ?? ''}`)}</p>`,
      )
    },
    async findAccount(_context, id) {
      const account = await accounts.find(id)
      return (
        account && {
          accountId: id,
          claims: () => ({ sub: id, email: account.email, email_verified: true, org_id: account.org_id }),
        }
      )
    },
    // These claims replace the token's own, and issueToken may have set another of the account's orgs.
    async extraTokenClaims(_context, token) {
      const account = 'accountId' in token ? await accounts.find(token.accountId) : undefined
      return account && { org_id: account.org_id, email: account.email, email_verified: true, ...token.extra }
    },
    async loadExistingGrant({ oidc }) {
      return oidc.session?.accountId ? fullGrant(oidc.provider, oidc.session.accountId) : undefined
    },
  }
}

async function fullGrant(provider: Provider, accountId: string): Promise<InstanceType<Provider['Grant']>> {
  const grant = new provider.Grant({ accountId, clientId: dashboardClientId })
  grant.addOIDCScope(scopes)
  grant.addResourceScope(resource, scopes)
  await grant.save()
  return grant
}

/** The dashboard is a first-party client, so it needs no consent. */
function policyWithoutConsent(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.remove('native_client_prompt')
  return policy
}

function dashboardClient(): ClientMetadata {
  const hosts = ['http://127.0.0.1', 'http://localhost']
  return {
    client_id: dashboardClientId,
    // Loopback redirects of a native client match on any port, so the dashboard may use any port.
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: hosts.flatMap((host) => [`${host}/`, `${host}/callback`, `${host}/auth/callback`]),
    post_logout_redirect_uris: hosts.map((host) => `${host}/`),
    id_token_signed_response_alg: 'ES256',
  }
}

/** Outside loopback a dashboard has one address, which must be registered. */
const networkClient = (dashboardUrl: string): ClientMetadata => ({
  ...dashboardClient(),
  application_type: 'web',
  redirect_uris: [`${dashboardUrl}/auth/callback`],
  post_logout_redirect_uris: [`${dashboardUrl}/`],
})

function isLoopback(origin: string): boolean {
  return ['127.0.0.1', 'localhost'].includes(URL.parse(origin)?.hostname ?? '')
}
