interface Hmac {
  update(data: string | Uint8Array): Hmac
  digest(): Uint8Array
}

/** What signatures need of `node:crypto`. */
export interface NodeCrypto {
  createHmac(algorithm: 'sha256', key: string | Uint8Array): Hmac
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}

interface Runtime {
  process?: { getBuiltinModule?: (id: 'node:crypto') => NodeCrypto | undefined }
}

/** Loaded on first use and without an import, so that the client itself runs where there is no Node API. */
export function nodeCrypto(): NodeCrypto {
  const { process } = globalThis as Runtime // a browser has no `process`
  const crypto = process?.getBuiltinModule?.('node:crypto')
  if (!crypto) throw new Error('webhooks are signed and verified with node:crypto, which is missing here')
  return crypto
}
