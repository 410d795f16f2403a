import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { unauthorized, unavailable } from './errors.ts'

interface TokenOptions {
  issuer: string
  audience: string
  jwksUrl: string
  orgClaim: string
  algorithms: string[]
}

/** The subject of a token. An invited person has no organisation yet. */
export interface Identity {
  userId: string
  orgId: string | undefined
  email: string | undefined
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
      })
      return {
        userId: claim.parse(payload.sub),
        orgId: claim.optional().parse(payload[options.orgClaim]),
        email: z.email().optional().catch(undefined).parse(payload['email']),
      }
    } catch (error) {
      throw isKeySourceError(error)
        ? unavailable('The identity provider is not reachable. Try again shortly.', error)
        : unauthorized('The token is expired or not valid. Sign in again.', error)
    }
  }
}

/** Whether the key set could not be fetched, which says nothing about the token. */
const isKeySourceError = (error: unknown): boolean =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
  (error instanceof TypeError && error.message === 'fetch failed')
