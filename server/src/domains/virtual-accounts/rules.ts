import { hmac } from '../../lib/crypto.ts'

/** Opened by nobody outside: it gets money by book transfer and by hand. */
export const internalProvider = 'internal'

export const accountContext = (accountId: string): string => `virtual account ${accountId}`

/** Equal numbers of a provider have equal hashes, and nobody without the key can find the number of a hash. */
export const numberIndex = (key: Buffer, provider: string, accountNumber: string): Buffer =>
  hmac(key, `${provider} ${accountNumber}`)
