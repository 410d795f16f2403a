import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { seal } from '../../../lib/crypto/crypto.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { signInDisabled } from './errors.ts'
import { asUnavailable } from './receive-callback.ts'
import type { PendingLogin, SignInDeps } from './record.ts'
import { loginContext, loginLimitMs } from './rules.ts'

interface LoginRequest {
  returnTo: string
  /** Asks for proof that is at most so old, as before a sensitive action. */
  maxAgeSeconds: number | undefined
  /** Has the identity provider ask again, even if it remembers the person. */
  prompt: 'login' | 'select_account' | undefined
}

interface StartedLogin {
  /** Where the browser signs in. */
  url: string
  /** For the cookie that binds the sign-in to this browser. */
  sealed: string
}

/** Authorization code with PKCE. The browser holds the sealed values by which the callback is checked; nothing is stored here. */
export async function startLogin(deps: SignInDeps, request: LoginRequest): Promise<StartedLogin> {
  const provider = deps.identityProvider
  if (!provider) throw signInDisabled()
  const configuration = await provider.configuration().catch(asUnavailable)
  const pending: PendingLogin = {
    state: randomState(),
    nonce: randomNonce(),
    codeVerifier: randomPKCECodeVerifier(),
    returnTo: request.returnTo,
    maxAgeSeconds: request.maxAgeSeconds ?? null,
    expiresAt: new Date(deps.clock.now().getTime() + loginLimitMs),
  }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: provider.redirectUri,
    scope: provider.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
    ...(request.maxAgeSeconds !== undefined && { max_age: String(request.maxAgeSeconds) }),
    ...(request.prompt !== undefined && { prompt: request.prompt }),
  })
  return { url: url.href, sealed: sealLogin(deps.loginKey, pending) }
}

const sealLogin = (ring: KeyRing, pending: PendingLogin): string =>
  seal(ring.current, Buffer.from(JSON.stringify(pending)), loginContext).toString('base64url')
