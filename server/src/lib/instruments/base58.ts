const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Longer input is never a key or an address, and decoding takes quadratic time. */
const lettersLimit = 64

/** Base58 with the Bitcoin alphabet; each leading `1` is a zero byte. */
export function fromBase58(text: string): Buffer | undefined {
  if (text.length === 0 || text.length > lettersLimit) return undefined
  const digits = Array.from(text, (letter) => alphabet.indexOf(letter))
  if (digits.includes(-1)) return undefined
  const value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n)
  const leadingZeros = digits.findIndex((digit) => digit !== 0)
  const hex = value === 0n ? '' : value.toString(16)
  return Buffer.concat([
    Buffer.alloc(leadingZeros === -1 ? digits.length : leadingZeros),
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'),
  ])
}
