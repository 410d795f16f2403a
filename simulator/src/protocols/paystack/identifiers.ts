import { createHash, randomBytes, randomInt } from 'node:crypto'
import { majorFromMinor, scaledAmount } from '../../core/money.ts'

/** All five currencies have two decimals. */
const DECIMALS = 2
const CODE_CHARACTERS = 15
const MIN_ID = 1_000_000_000
const MAX_ID = 9_999_999_999

export function newId(): number {
  return randomInt(MIN_ID, MAX_ID)
}

/** `TRF_1ptvuv321ahaa7q` */
export function newCode(prefix: string): string {
  const text = BigInt(`0x${randomBytes(16).toString('hex')}`).toString(36)
  return `${prefix}${text.padStart(CODE_CHARACTERS, '0').slice(-CODE_CHARACTERS)}`
}

/** A stable number for a text, because a customer has one id for each e-mail address. */
export function idOfText(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

export function majorOf(subunits: bigint): string {
  return majorFromMinor(subunits, DECIMALS)
}

export function subunitsOf(amount: string): number {
  return Number(scaledAmount(amount, DECIMALS) ?? 0n)
}
