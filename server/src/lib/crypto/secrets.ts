import { deriveKey } from './crypto.ts'

/** One version of a secret setting. Its id reveals nothing about it and is stored with what it was used for. */
export interface Secret {
  readonly id: string
  readonly bytes: Buffer
}

/** The versions of a secret setting that this process has. They change while it runs. */
export interface SecretRing {
  readonly current: Secret
  readonly accepted: readonly Secret[]
}

const idLength = 12
const shortestBytes = 32
const secretsLimit = 10
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/

export const toSecret = (bytes: Buffer): Secret => ({
  id: deriveKey(bytes, 'key id').toString('hex').slice(0, idLength),
  bytes,
})

/** Keys in base64, separated by commas, blanks or lines; the first is the current one. A string describes the error. */
export function parseSecrets(text: string): readonly Secret[] | string {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  if (parts.length === 0) return 'holds no key'
  if (parts.length > secretsLimit) return `holds more than ${secretsLimit} keys`
  if (!parts.every((part) => base64.test(part))) return 'holds something that is not base64'
  const secrets = parts.map((part) => toSecret(Buffer.from(part, 'base64')))
  if (secrets.some(({ bytes }) => bytes.length < shortestBytes))
    return `must be at least ${shortestBytes} bytes in base64: \`openssl rand -base64 32\` makes one`
  if (new Set(secrets.map(({ id }) => id)).size < secrets.length) return 'holds the same key twice'
  return secrets
}
