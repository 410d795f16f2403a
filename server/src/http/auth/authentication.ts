import type { Caller, Origin, PresentedSession } from '../../lib/requests/access.ts'
import { unauthorized } from '../../lib/errors.ts'
import type { AuthenticationLimit, PresentedCredential } from '../limits/authentication-limit.ts'
import { presentedSession, type RequestHead, type SessionCookies } from './session-cookie.ts'

export interface Authenticators {
  apiKey(key: string, origin: Origin): Promise<Caller>
  token(token: string, origin: Origin): Promise<Caller>
  /** Undefined when nobody can sign in to the dashboard. */
  session: SessionAuthenticator | undefined
}

export interface SessionAuthenticator {
  cookies: SessionCookies
  verify(session: PresentedSession, origin: Origin): Promise<Caller>
}

const none = 'NONE'
const bearerPattern = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i
const apiKeyPattern = /^[A-Za-z0-9_]{16,128}$/

/**
 * Requires both headers exactly once: one with a credential, the other with the literal NONE. It reads the raw
 * headers, because Node silently drops a second Authorization and joins a second X-Api-Key. With both NONE, the cookie
 * of a session counts; no form of another site can send these headers.
 */
function presentedCredential(head: RequestHead, cookies: SessionCookies | undefined): PresentedCredential {
  const authorization = onlyValue(head.rawHeaders, 'authorization')
  const apiKey = onlyValue(head.rawHeaders, 'x-api-key')
  if (authorization === none && apiKey === none) {
    const session = cookies && presentedSession(head, cookies)
    if (session) return { kind: 'session', ...session }
    throw unauthorized('Both headers are NONE. Send a credential in Authorization or in X-Api-Key.')
  }
  if (authorization !== none && apiKey !== none)
    throw unauthorized('Send one credential: either Authorization or X-Api-Key must be the literal NONE.')
  if (apiKey !== none) {
    if (!apiKeyPattern.test(apiKey)) throw unauthorized('X-Api-Key holds neither an API key nor NONE.')
    return { kind: 'api_key', key: apiKey }
  }
  const token = bearerPattern.exec(authorization)?.[1]
  if (token === undefined) throw unauthorized('Authorization holds neither "Bearer <JWT>" nor NONE.')
  return { kind: 'jwt', token }
}

function onlyValue(rawHeaders: readonly string[], name: string): string {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '')
  const [value] = values
  if (value === undefined)
    throw unauthorized(
      'Send both headers, Authorization and X-Api-Key; the one not used holds the literal NONE.',
    )
  if (values.length > 1) throw unauthorized(`The header ${name} was sent more than once.`)
  return value
}

interface AuthenticationDeps {
  authenticators: Authenticators
  authenticationLimit: AuthenticationLimit
}

export const authenticate = (
  { authenticators, authenticationLimit }: AuthenticationDeps,
  head: RequestHead,
  origin: Origin,
): Promise<Caller> =>
  authenticationLimit(origin.ip, async () => {
    const credential = presentedCredential(head, authenticators.session?.cookies)
    if (credential.kind === 'api_key') return authenticators.apiKey(credential.key, origin)
    if (credential.kind === 'jwt') return authenticators.token(credential.token, origin)
    if (!authenticators.session) throw new Error('a session was presented although there are none')
    return authenticators.session.verify(credential, origin)
  })

/** For a route that is public because the caller is not a member yet. A session is no credential there. */
export const withCredential = <T>(
  limit: AuthenticationLimit,
  rawHeaders: readonly string[],
  address: string,
  verify: (credential: PresentedCredential) => Promise<T>,
): Promise<T> => limit(address, async () => verify(presentedCredential({ rawHeaders }, undefined)))
