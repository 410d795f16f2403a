/** The networks that carry an asset. The server refuses any other pair. */
export const networksOf: Readonly<Record<string, readonly string[]>> = {
  USDC: ['BASE', 'ETHEREUM', 'POLYGON', 'ARBITRUM', 'OPTIMISM', 'AVALANCHE', 'CELO', 'SOLANA', 'STELLAR'],
  USDT: ['TRON', 'ETHEREUM', 'POLYGON', 'ARBITRUM', 'OPTIMISM', 'AVALANCHE', 'CELO', 'SOLANA'],
  EURC: ['BASE', 'ETHEREUM', 'AVALANCHE', 'SOLANA'],
  ETH: ['ETHEREUM', 'BASE', 'ARBITRUM', 'OPTIMISM'],
  BTC: ['BITCOIN'],
}

/** Options whose labels are their values. */
export const asOptions = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, value]))
