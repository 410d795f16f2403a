import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** One key per purpose, so that a token made for one use is worthless in another. */
export const deriveKey = (secretKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), purpose, 32))

/** AES-256-GCM. `context` is authenticated but not stored: opening under another context fails. */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** Returns undefined for anything that was not sealed under this key and context. */
export function open(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
  if (sealed.length < ivBytes + tagBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
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
  createHmac('sha256', key).update(data).digest()

export const equalInConstantTime = (a: Buffer, b: Buffer): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
