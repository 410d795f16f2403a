import type { ClientOptions } from './options.ts'

const headerPattern = /^[\x21-\x7e]+$/
const unused = 'NONE'

/** Both headers, of which one is not used. The closure keeps the secret out of every object that could be printed. */
export function credentialHeaders({
  apiKey,
  accessToken,
}: Pick<ClientOptions, 'apiKey' | 'accessToken'>): () => Promise<Record<string, string>> {
  if ((apiKey === undefined) === (accessToken === undefined))
    throw new TypeError('pass either apiKey or accessToken')
  if (apiKey !== undefined) {
    const key = sendable(apiKey, 'apiKey')
    return () => Promise.resolve({ authorization: unused, 'x-api-key': key })
  }
  return async () => {
    const token = typeof accessToken === 'function' ? await accessToken() : accessToken
    return { authorization: `Bearer ${sendable(token, 'accessToken')}`, 'x-api-key': unused }
  }
}

/** `fetch` would put a malformed header into the message of its error. */
function sendable(secret: unknown, name: string): string {
  if (typeof secret !== 'string' || !headerPattern.test(secret))
    throw new TypeError(`${name} must be text of visible ASCII characters without spaces`)
  return secret
}
