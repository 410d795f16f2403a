import { isAddress, type Address } from 'viem'
import { z } from 'zod'
import { isCrypto } from '../../../../lib/money/money.ts'
import { networkNamed } from '../../../../lib/instruments/wallet-address.ts'

const evmAddress = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  'must be an EVM address',
)
const gwei = 1_000_000_000n

/** A chain on which the installation has a wallet. Everything about it is configuration. */
const chainFacts = z.strictObject({
  network: z.string().transform((name, context) => {
    const network = networkNamed(name)
    if (network === undefined) context.addIssue({ code: 'custom', message: 'is not a network that we know' })
    return network ?? ''
  }),
  chainId: z.int().positive(),
  rpcUrl: z.url({ protocol: /^https?$/ }),
  /** The number of blocks, including its own, after which a transaction counts as final. */
  confirmations: z.int().min(1).max(1_000).default(12),
  tokens: z.record(z.string().refine(isCrypto, 'is not a crypto asset'), evmAddress),
  /** A transaction that has waited this long is sent again with a higher fee under the same nonce. */
  bumpAfterMs: z.int().min(100).default(60_000),
  /** The highest price per unit of gas; above it a transfer waits until the price falls. */
  maxFeeGwei: z.int().min(1).default(500),
  /** The number of blocks that one scan for deposits may span. */
  logBlocksLimit: z.int().min(1).default(2_000),
})

export const chainList = z.array(chainFacts).max(20)

export type ChainFacts = z.infer<typeof chainFacts>

export const maxFeeWei = (chain: Pick<ChainFacts, 'maxFeeGwei'>): bigint => BigInt(chain.maxFeeGwei) * gwei
