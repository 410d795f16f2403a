import { describe, expect, it } from 'vitest'
import { addressKey, carriesAsset, isWalletAddress, networkNamed } from './wallet-address.ts'

const valid = [
  ['ETHEREUM', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['BASE', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['POLYGON', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['BITCOIN', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BITCOIN', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['BITCOIN', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['BITCOIN', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['BITCOIN', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['SOLANA', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['STELLAR', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
] as const

describe('isWalletAddress', () => {
  it.each(valid)('%s: %s', (network, address) => {
    expect(isWalletAddress(network, address)).toBe(true)
  })

  it.each(valid)('an address with one changed character is refused on %s: %s', (network, address) => {
    // An EVM address without capitals carries no checksum, and a Solana address never does.
    if (address === address.toLowerCase() && address.startsWith('0x')) return expect(address).toHaveLength(42)
    if (network === 'SOLANA') return expect(isWalletAddress(network, address.slice(3))).toBe(false)
    const at = address.length - 3
    const swapped = /[aA]/.test(address[at] ?? '') ? 'e' : 'a'
    const character = address === address.toUpperCase() ? swapped.toUpperCase() : swapped
    const changed = address.slice(0, at) + character + address.slice(at + 1)
    expect(isWalletAddress(network, changed)).toBe(false)
  })

  it('an address of one network is invalid on another kind of network', () => {
    const kinds = ['ETHEREUM', 'TRON', 'BITCOIN', 'SOLANA', 'STELLAR']
    const fitting = valid.map(([, address]) => kinds.filter((kind) => isWalletAddress(kind, address)))
    const own = valid.map(([network, address]) => [address.startsWith('0x') ? 'ETHEREUM' : network])
    expect(fitting).toEqual(own)
  })

  it.each([
    ['BASE', '0x0000000000000000000000000000000000000000'],
    ['BASE', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['BASE', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['BITCOIN', 'bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['BITCOIN', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['SOLANA', '0OIl'],
    ['NOWHERE', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ])('%s: %s is not valid', (network, address) => {
    expect(isWalletAddress(network, address)).toBe(false)
  })
})

describe('networks', () => {
  it.each([
    ['base', 'BASE'],
    ['ETH', 'ETHEREUM'],
    ['ERC20', 'ETHEREUM'],
    ['MATIC', 'POLYGON'],
    ['TRC20', 'TRON'],
    ['xlm', 'STELLAR'],
    ['DOGE', undefined],
  ])('%s is %s', (name, network) => {
    expect(networkNamed(name)).toBe(network)
  })

  it('an asset exists on its own networks only', () => {
    expect([carriesAsset('BASE', 'USDC'), carriesAsset('BASE', 'BTC'), carriesAsset('TRON', 'USDC')]).toEqual(
      [true, false, false],
    )
  })

  it('two spellings of an EVM address have the same key; other addresses keep their case', () => {
    expect(addressKey('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(
      addressKey('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'),
    )
    expect(addressKey('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  })
})
