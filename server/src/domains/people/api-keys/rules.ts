import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { hmac } from '../../../lib/crypto/crypto.ts'
import { isInNetworks } from '../../../lib/net/networks.ts'
import type { Secret } from '../../../lib/crypto/secrets.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6
const prefixLength = 12
const keyPattern = /^sy_(?:live|test)_[0-9A-Za-z]{49}$/

export type KeyMode = 'live' | 'test'

/**
 * `sy_live_` + 32 random bytes in base62 + CRC32. Secret scanners recognise the prefix, and the checksum rejects
 * typos before a query.
 */
export function newApiKey(mode: KeyMode): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
  return `sy_${mode}_${secret}${checksum(`sy_${mode}_${secret}`)}`
}

export const isWellFormedKey = (key: string): boolean =>
  keyPattern.test(key) && checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength)

export const keyPrefix = (key: string): string => key.slice(0, prefixLength)

/** The stored form. Without the pepper, which is outside the database, a stolen table cannot verify a key. */
export const keyHash = (pepper: Pick<Secret, 'bytes'>, key: string): Buffer => hmac(pepper.bytes, key)

/** Runs on every request, so it does without BigInt. */
function checksum(text: string): string {
  let digits = ''
  for (let rest = crc32(text); digits.length < checksumLength; rest = Math.floor(rest / alphabet.length))
    digits = (alphabet[rest % alphabet.length] ?? '') + digits
  return digits
}

function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n)
    digits = (alphabet[Number(rest % 62n)] ?? '') + digits
  return digits
}

/** Keys that work at the same time; rate limits are per key, so that more keys would mean more requests. */
export const keysPerMember = 50

export type KeyStatus = 'active' | 'expiring' | 'revoked' | 'expired'

export function keyStatus(
  key: { revokedAt: Date | null; expiresAt: Date | null; isReplaced: boolean },
  now: Date,
): KeyStatus {
  if (key.revokedAt) return 'revoked'
  if (key.expiresAt && key.expiresAt <= now) return 'expired'
  return key.isReplaced ? 'expiring' : 'active'
}

/** Null means anywhere. */
export const mayBeUsedFrom = (allowedIps: readonly string[] | null, address: string): boolean =>
  allowedIps === null || isInNetworks(allowedIps, address)

/** Whether a key with these addresses can be used from nowhere else than one with those. */
export const areIpsWithin = (ips: readonly string[] | null, limit: readonly string[] | null): boolean =>
  limit === null || (ips !== null && ips.every((network) => isInNetworks(limit, network)))

/** Null scopes mean everything that the owner may do. */
export const isWithin = (scopes: readonly string[] | null, limit: readonly string[] | null): boolean =>
  limit === null || (scopes !== null && scopes.every((scope) => limit.includes(scope)))
