import type { Database } from '../kernel/db/database.ts'
import { authenticateApiKey, createKeyLookup } from '../domains/people/api-keys/authenticate-api-key.ts'
import type { KeyUsage } from '../domains/people/api-keys/record.ts'
import { authenticateToken } from '../domains/people/organizations/authenticate-token.ts'
import { createAuthenticationLimit, type AuthenticationLimit } from '../http/limits/authentication-limit.ts'
import { authenticateSession } from '../domains/office/sessions/authenticate-session.ts'
import { createIdentityProvider } from '../domains/office/sessions/load-provider.ts'
import type { IdentityProvider } from '../domains/office/sessions/record.ts'
import type { Authenticators, SessionAuthenticator } from '../http/auth/authentication.ts'
import { sessionCookies } from '../http/auth/session-cookie.ts'
import type { Clock } from '../lib/clock.ts'
import type { RequiredClaims } from '../lib/crypto/required-claims.ts'
import type { KeyRing } from '../lib/crypto/key-ring.ts'
import type { SecretRing } from '../lib/crypto/secrets.ts'
import { createTokenVerifier, type TokenVerifier } from '../lib/crypto/token.ts'
import type { Config } from './config.ts'

interface IdentityDeps {
  verifyToken: TokenVerifier
  authenticationLimit: AuthenticationLimit
  authenticators: Authenticators
  identityProvider: IdentityProvider | undefined
  requiredClaims: RequiredClaims
}

/** How callers prove who they are, and how often they may fail to. */
export function createIdentityDeps(
  deps: { db: Database; clock: Clock; sessionKey: KeyRing; peppers: SecretRing; keyUsage: KeyUsage },
  config: Config,
): IdentityDeps {
  const requiredClaims = config.REQUIRED_CLAIMS
  const verifyToken = createTokenVerifier({
    issuer: config.JWT_ISSUER,
    audience: config.JWT_AUDIENCE,
    jwksUrl: config.JWT_JWKS_URL,
    orgClaim: config.JWT_ORG_CLAIM,
    emailClaim: config.JWT_EMAIL_CLAIM,
    emailVerifiedClaim: config.JWT_EMAIL_VERIFIED_CLAIM,
    type: config.JWT_TYPE,
    maxAgeSeconds: config.JWT_MAX_AGE_SECONDS,
    algorithms: config.JWT_ALGORITHMS,
    requiredClaims,
  })
  const identityProvider = createProvider(config, deps.clock)
  const session: SessionAuthenticator | undefined = identityProvider && {
    cookies: sessionCookies(config.PUBLIC_URL),
    verify: (presented, origin) => authenticateSession({ ...deps, requiredClaims }, presented, origin),
  }
  const findKey = createKeyLookup(deps.db)
  return {
    verifyToken,
    identityProvider,
    requiredClaims,
    authenticationLimit: createAuthenticationLimit({
      perSecond: config.AUTH_FAILURES_PER_SECOND,
      burst: config.AUTH_FAILURES_BURST,
      clock: deps.clock,
    }),
    authenticators: {
      apiKey: (key, origin) => authenticateApiKey({ ...deps, findKey }, key, origin),
      token: (token, origin) =>
        authenticateToken({ db: deps.db, verifyToken, requiredClaims }, token, origin),
      session,
    },
  }
}

/** People sign in at the provider that issues the tokens, so that a member has the same subject in both. */
const createProvider = (config: Config, clock: Clock): IdentityProvider | undefined =>
  config.OIDC_CLIENT_ID === undefined
    ? undefined
    : createIdentityProvider(
        {
          issuer: config.JWT_ISSUER,
          clientId: config.OIDC_CLIENT_ID,
          clientSecret: config.OIDC_CLIENT_SECRET,
          scope: config.OIDC_SCOPE,
          orgClaim: config.JWT_ORG_CLAIM,
          publicUrl: config.PUBLIC_URL,
          allowsHttp: config.SWITCHYARD_ENV === 'dev',
        },
        clock,
      )
