import { createHash } from 'node:crypto'
import { isAddress, zeroAddress } from 'viem'
import { fromBase58 } from './base58.ts'

/** The address format of a network, and the assets on it. */
type AddressKind = 'evm' | 'tron' | 'bitcoin' | 'solana' | 'stellar'

interface NetworkFacts {
  kind: AddressKind
  assets: readonly string[]
  /** Other names that callers and providers use for it. */
  aliases: readonly string[]
}

const networks: Readonly<Record<string, NetworkFacts>> = {
  ETHEREUM: { kind: 'evm', assets: ['USDC', 'USDT', 'EURC', 'ETH'], aliases: ['ETH', 'ERC20'] },
  BASE: { kind: 'evm', assets: ['USDC', 'EURC', 'ETH'], aliases: [] },
  POLYGON: { kind: 'evm', assets: ['USDC', 'USDT'], aliases: ['POLY', 'MATIC'] },
  ARBITRUM: { kind: 'evm', assets: ['USDC', 'USDT', 'ETH'], aliases: ['ARB'] },
  OPTIMISM: { kind: 'evm', assets: ['USDC', 'USDT', 'ETH'], aliases: ['OP'] },
  AVALANCHE: { kind: 'evm', assets: ['USDC', 'USDT', 'EURC'], aliases: ['AVAX', 'AVAXC'] },
  CELO: { kind: 'evm', assets: ['USDC', 'USDT'], aliases: [] },
  TRON: { kind: 'tron', assets: ['USDT'], aliases: ['TRX', 'TRC20'] },
  BITCOIN: { kind: 'bitcoin', assets: ['BTC'], aliases: ['BTC'] },
  SOLANA: { kind: 'solana', assets: ['USDC', 'USDT', 'EURC'], aliases: ['SOL'] },
  STELLAR: { kind: 'stellar', assets: ['USDC'], aliases: ['XLM'] },
}

export const networkNames = Object.keys(networks)

/** The canonical name of a network, from any of its names. */
export function networkNamed(name: string): string | undefined {
  const wanted = name.toUpperCase()
  return networkNames.find((network) => network === wanted || networks[network]?.aliases.includes(wanted))
}

export const carriesAsset = (network: string, asset: string): boolean =>
  networks[network]?.assets.includes(asset) ?? false

/** Checks the checksum, length and prefix that the network puts into an address. */
export function isWalletAddress(network: string, address: string): boolean {
  const kind = networks[network]?.kind
  return kind !== undefined && checks[kind](address)
}

/** Two spellings of one address give one key. Only EVM addresses have more than one. */
export const addressKey = (address: string): string =>
  /^0x[0-9a-fA-F]{40}$/.test(address) ? address.toLowerCase() : address

const checks: Readonly<Record<AddressKind, (address: string) => boolean>> = {
  // Mixed case must match the EIP-55 checksum; money that is sent to the zero address is lost.
  evm: (address) => isAddress(address, { strict: true }) && address !== zeroAddress,
  tron: (address) => base58Check(address)?.[0] === 0x41,
  bitcoin: (address) => isBase58Bitcoin(address) || isSegwit(address),
  solana: (address) => fromBase58(address)?.length === 32,
  stellar: isStellar,
}

const isBase58Bitcoin = (address: string): boolean => {
  const version = base58Check(address)?.[0]
  return version === 0x00 || version === 0x05
}

/** A version and a hash of 21 bytes, followed by four bytes of their double SHA-256. */
function base58Check(text: string): Buffer | undefined {
  const bytes = fromBase58(text)
  if (bytes?.length !== 25) return undefined
  const payload = bytes.subarray(0, 21)
  const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest()
  return sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(21)) ? payload : undefined
}

const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const bech32Generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const bech32Constant = 1
const bech32mConstant = 0x2bc830a3

function polymod(values: readonly number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of bech32Generators.entries()) if ((top >>> bit) & 1) sum ^= generator
  }
  return sum >>> 0
}

/** BIP-173 for version 0, BIP-350 from version 1 on. */
function isSegwit(address: string): boolean {
  const text = address.toLowerCase()
  if ((address !== text && address !== address.toUpperCase()) || !/^bc1[a-z0-9]{11,71}$/.test(text))
    return false
  const data = text
    .slice(3)
    .split('')
    .map((character) => bech32Alphabet.indexOf(character))
  if (data.includes(-1)) return false
  const prefix = [3, 3, 0, 2, 3] // "bc", expanded as BIP-173 requires
  const version = data[0] ?? 0
  const programBytes = Math.floor(((data.length - 7) * 5) / 8)
  const hasLength = version === 0 ? programBytes === 20 || programBytes === 32 : programBytes >= 2
  const expected = version === 0 ? bech32Constant : bech32mConstant
  return version <= 16 && hasLength && polymod([...prefix, ...data]) === expected
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A version byte, a key of 32 bytes, and a CRC-16 of both. */
function isStellar(address: string): boolean {
  if (!/^G[A-Z2-7]{55}$/.test(address)) return false
  let bits = 0n
  for (const character of address) bits = (bits << 5n) | BigInt(base32Alphabet.indexOf(character))
  const bytes = Buffer.from(bits.toString(16).padStart(70, '0'), 'hex')
  return crc16(bytes.subarray(0, 33)) === bytes.readUInt16LE(33)
}

function crc16(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
