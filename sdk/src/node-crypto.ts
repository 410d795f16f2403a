interface Hmac {
  update(data: string | Uint8Array): Hmac
  digest(): Uint8Array
}

/** The part of `node:crypto` that signatures need. */
export interface NodeCrypto {
  createHmac(algorithm: 'sha256', key: string | Uint8Array): Hmac
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}

interface Runtime {
  process?: { getBuiltinModule?: (id: 'node:crypto') => NodeCrypto | undefined }
}

/** Loaded on first use and without an import, so that the client also runs without Node. */
export function nodeCrypto(): NodeCrypto {
  const { process } = globalThis as Runtime // a browser has no `process`
  const crypto = process?.getBuiltinModule?.('node:crypto')
  if (!crypto) throw new Error('webhooks are signed and verified with node:crypto, which is missing here')
  return crypto
}
