import { authorizationCodeGrant, AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { z } from 'zod'
import { equalInConstantTime } from '../../../lib/crypto/crypto.ts'
import { AppError, unavailable } from '../../../lib/errors.ts'
import { readClaims } from '../../../lib/crypto/required-claims.ts'
import { openWithAny, type KeyRing } from '../../../lib/crypto/key-ring.ts'
import { userId } from '../../../lib/requests/wire.ts'
import { signInDisabled } from './errors.ts'
import type { IdentityProvider, PendingLogin, SignedInPerson, SignInDeps } from './record.ts'
import { loginContext, type LoginFailure } from './rules.ts'

interface Callback {
  /** The query with which the identity provider sent the browser back. */
  parameters: URLSearchParams
  /** The cookie of the browser, if it has one. */
  sealed: string | undefined
}

type CallbackResult =
  | { person: SignedInPerson; returnTo: string }
  | { failure: LoginFailure; cause?: unknown }

const pendingLogin = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  maxAgeSeconds: z.number().nullable(),
  expiresAt: z.coerce.date(),
})

/** The code is exchanged only in the browser that began the sign-in, and the identity provider accepts it once. */
export async function receiveCallback(
  deps: SignInDeps,
  { parameters, sealed }: Callback,
): Promise<CallbackResult> {
  const provider = deps.identityProvider
  if (!provider) throw signInDisabled()
  const pending = openLogin(deps.loginKey, sealed)
  const isOwn = pending && equalInConstantTime(...asBytes(pending.state, parameters.get('state') ?? ''))
  if (!isOwn || pending.expiresAt <= deps.clock.now()) return { failure: 'expired' }
  try {
    return { person: await exchangeCode(deps, provider, { parameters, pending }), returnTo: pending.returnTo }
  } catch (error) {
    return { failure: failureOf(error), cause: error }
  }
}

function openLogin(ring: KeyRing, sealed: string | undefined): PendingLogin | undefined {
  const text = sealed && openWithAny(ring, Buffer.from(sealed, 'base64url'), loginContext)
  return text ? pendingLogin.parse(JSON.parse(text.toString())) : undefined
}

const asBytes = (a: string, b: string): [Buffer, Buffer] => [Buffer.from(a), Buffer.from(b)]

async function exchangeCode(
  deps: Pick<SignInDeps, 'requiredClaims'>,
  provider: IdentityProvider,
  { parameters, pending }: { parameters: URLSearchParams; pending: PendingLogin },
): Promise<SignedInPerson> {
  const url = new URL(provider.redirectUri)
  url.search = parameters.toString()
  const configuration = await provider.configuration().catch(asUnavailable)
  const tokens = await authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: pending.codeVerifier,
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
    ...(pending.maxAgeSeconds !== null && { maxAge: pending.maxAgeSeconds }),
  })
  const claims = tokens.claims()
  return {
    userId: userId.parse(claims?.sub),
    orgId: z.string().max(255).optional().catch(undefined).parse(claims?.[provider.orgClaim]),
    authTime: claims?.auth_time === undefined ? null : new Date(claims.auth_time * 1000),
    claims: readClaims(deps.requiredClaims, claims ?? {}),
  }
}

/** The identity provider could not be reached, which proves nothing about the person. */
export function asUnavailable(error: unknown): never {
  throw unavailable('The identity provider is not reachable. Try again shortly.', error)
}

function failureOf(error: unknown): LoginFailure {
  if (error instanceof AppError && error.status === 503) return 'unavailable'
  if (error instanceof AuthorizationResponseError) return 'refused'
  // The code was used already, or too late.
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'expired' : 'unavailable'
  const isNetwork = error instanceof Error && ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(codeOf(error))
  return isNetwork || (error instanceof TypeError && error.message === 'fetch failed')
    ? 'unavailable'
    : 'refused'
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')
