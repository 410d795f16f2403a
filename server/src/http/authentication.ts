import type { Caller, Origin } from '../lib/access.ts'
import { unauthorized } from '../lib/errors.ts'
import type { AuthenticationLimit, PresentedCredential } from './authentication-limit.ts'

export interface Authenticators {
  apiKey(key: string, origin: Origin): Promise<Caller>
  token(token: string, origin: Origin): Promise<Caller>
}

const none = 'NONE'
const bearerPattern = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i
const apiKeyPattern = /^[A-Za-z0-9_]{16,128}$/

/**
 * Requires both headers exactly once: one with a credential, the other with the literal NONE. It reads the raw
 * headers, because Node silently drops a second Authorization and joins a second X-Api-Key.
 */
function presentedCredential(rawHeaders: readonly string[]): PresentedCredential {
  const authorization = onlyValue(rawHeaders, 'authorization')
  const apiKey = onlyValue(rawHeaders, 'x-api-key')
  if (authorization === none && apiKey === none)
    throw unauthorized('Both headers are NONE. Send a credential in Authorization or in X-Api-Key.')
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
  rawHeaders: readonly string[],
  origin: Origin,
): Promise<Caller> =>
  withCredential(authenticationLimit, rawHeaders, origin.ip, (credential) =>
    credential.kind === 'api_key'
      ? authenticators.apiKey(credential.key, origin)
      : authenticators.token(credential.token, origin),
  )

/** Failures count for the limit of the address, headers without a credential included. */
export async function withCredential<T extends { userId: string }>(
  limit: AuthenticationLimit,
  rawHeaders: readonly string[],
  address: string,
  verify: (credential: PresentedCredential) => Promise<T>,
): Promise<T> {
  let credential: PresentedCredential
  try {
    credential = presentedCredential(rawHeaders)
  } catch (error) {
    return limit.guard(address, undefined, () => Promise.reject(error))
  }
  return limit.guard(address, credential, () => verify(credential))
}
