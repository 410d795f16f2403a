import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** One key per purpose, so that a token for one purpose is invalid for another. */
export const deriveKey = (secretKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), purpose, 32))

const keyObjects = new WeakMap<Buffer, KeyObject>()

/** Creates the key object once: given raw bytes, Node creates one per call, which takes longer than the hash. */
function keyObject(key: Buffer): KeyObject {
  const known = keyObjects.get(key)
  if (known) return known
  const made = createSecretKey(key)
  keyObjects.set(key, made)
  return made
}

/** AES-256-GCM. `context` is authenticated but not stored: opening under another context fails. */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyObject(key), iv).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** Returns undefined for anything that was not sealed under this key and context. */
export function open(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
  if (sealed.length < ivBytes + tagBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyObject(key), sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}

export const hmac = (key: Buffer, data: string | Buffer): Buffer =>
  createHmac('sha256', keyObject(key)).update(data).digest()

export const equalInConstantTime = (a: Buffer, b: Buffer): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
