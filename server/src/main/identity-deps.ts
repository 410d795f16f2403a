import type { Database } from '../db/database.ts'
import { authenticateApiKey } from '../domains/api-keys/authenticate-api-key.ts'
import type { KeyUsage } from '../domains/api-keys/record.ts'
import { authenticateToken } from '../domains/organizations/authenticate-token.ts'
import { createAuthenticationLimit, type AuthenticationLimit } from '../http/authentication-limit.ts'
import type { Authenticators } from '../http/authentication.ts'
import type { Clock } from '../lib/clock.ts'
import { createTokenVerifier, type TokenVerifier } from '../lib/token.ts'
import type { Config } from './config.ts'

interface IdentityDeps {
  verifyToken: TokenVerifier
  authenticationLimit: AuthenticationLimit
  authenticators: Authenticators
}

/** How callers prove who they are, and how often they may fail to. */
export function createIdentityDeps(
  deps: { db: Database; clock: Clock; apiKeyPepper: Buffer; keyUsage: KeyUsage },
  config: Config,
): IdentityDeps {
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
  })
  return {
    verifyToken,
    authenticationLimit: createAuthenticationLimit({
      perSecond: config.AUTH_FAILURES_PER_SECOND,
      burst: config.AUTH_FAILURES_BURST,
      clock: deps.clock,
    }),
    authenticators: {
      apiKey: (key, origin) => authenticateApiKey(deps, key, origin),
      token: (token, origin) => authenticateToken({ db: deps.db, verifyToken }, token, origin),
    },
  }
}
