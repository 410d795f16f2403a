import type { ClientOptions } from './options.ts'

const headerPattern = /^[\x21-\x7e]+$/
const unused = 'NONE'

/** Returns both headers; only one is used. The closure keeps the secret out of any object that could be printed. */
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

/** `fetch` would include a malformed header in its error message. */
function sendable(secret: unknown, name: string): string {
  if (typeof secret !== 'string' || !headerPattern.test(secret))
    throw new TypeError(`${name} must consist of visible ASCII characters without spaces`)
  return secret
}
