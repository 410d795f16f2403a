import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import { z } from 'zod'
import { unauthorized, unavailable } from '../errors.ts'
import { readClaims, type Claims, type RequiredClaims } from './required-claims.ts'

interface TokenOptions {
  issuer: string
  audience: string
  jwksUrl: string
  orgClaim: string
  emailClaim: string
  emailVerifiedClaim: string
  /** The `typ` header of access tokens, which keeps other tokens of the same issuer out. */
  type: string
  maxAgeSeconds: number
  algorithms: string[]
  requiredClaims: RequiredClaims
}

/** The subject of a token. An invited person has no organisation yet. */
export interface Identity {
  userId: string
  orgId: string | undefined
  /** Only if the identity provider has verified it. */
  verifiedEmail: string | undefined
  /** How they signed in, as far as a role requires something of it. */
  claims: Claims
}

export type TokenVerifier = (token: string) => Promise<Identity>

const clockToleranceSeconds = 30
const keysTimeoutMs = 3_000
const keysCooldownMs = 5_000
const claim = z.string().min(1).max(255)

/** Verifies against the pinned key set only; nothing in a token chooses the algorithm or where keys come from. */
export function createTokenVerifier(options: TokenOptions): TokenVerifier {
  const keys = createRemoteJWKSet(new URL(options.jwksUrl), {
    timeoutDuration: keysTimeoutMs,
    cooldownDuration: keysCooldownMs,
  })
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: options.issuer,
        audience: options.audience,
        algorithms: options.algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'sub'],
        typ: options.type,
        maxTokenAge: options.maxAgeSeconds,
      })
      refuseOtherTokens(payload, options.maxAgeSeconds)
      return {
        userId: claim.parse(payload.sub),
        orgId: claim.optional().parse(payload[options.orgClaim]),
        verifiedEmail:
          payload[options.emailVerifiedClaim] === true
            ? z.email().optional().catch(undefined).parse(payload[options.emailClaim])
            : undefined,
        claims: readClaims(options.requiredClaims, payload),
      }
    } catch (error) {
      throw isKeySourceError(error)
        ? unavailable('The identity provider is not reachable. Try again shortly.', error)
        : unauthorized(
            'The token is expired, not valid or not an access token for this API. Sign in again.',
            error,
          )
    }
  }
}

const idTokenClaims = ['at_hash', 'c_hash']

/** ID tokens, where the identity provider does not mark them by `typ`, and tokens that live too long. */
function refuseOtherTokens(payload: JWTPayload, maxAgeSeconds: number): void {
  const isIdToken = payload['typ'] === 'ID' || idTokenClaims.some((name) => Object.hasOwn(payload, name))
  if (isIdToken) throw new Error('an ID token is not an access token')
  if ((payload.exp ?? Infinity) - (payload.iat ?? 0) > maxAgeSeconds)
    throw new Error('the token lives longer than allowed')
}

/** Whether the key set could not be fetched, which proves nothing about the token. */
const isKeySourceError = (error: unknown): boolean =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
  (error instanceof TypeError && error.message === 'fetch failed')
