import { hmac } from '../../../lib/crypto/crypto.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

/** An account without a bank behind it: it is funded by book transfers and assigned deposits. */
export const internalProvider = 'internal'

export const accountContext = (accountId: string): string => `virtual account ${accountId}`

/** A keyed hash, so that accounts can be found by number while the table reveals no numbers. */
export const numberIndex = ({ current }: KeyRing, provider: string, accountNumber: string): Buffer =>
  hmac(current, `${provider} ${accountNumber}`)
