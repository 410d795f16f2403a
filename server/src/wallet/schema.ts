import { isAddress, type Address } from 'viem'
import { z } from 'zod'
import { isCrypto } from '../lib/money.ts'
import { networkNamed } from '../lib/wallet-address.ts'

const evmAddress = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  'must be an EVM address',
)
const gwei = 1_000_000_000n

/** A chain on which the installation has a wallet. Facts of the chain are configuration, not code. */
const chainFacts = z.strictObject({
  network: z.string().transform((name, context) => {
    const network = networkNamed(name)
    if (network === undefined) context.addIssue({ code: 'custom', message: 'is not a network that we know' })
    return network ?? ''
  }),
  chainId: z.int().positive(),
  rpcUrl: z.url({ protocol: /^https?$/ }),
  /** Blocks, the first one included, after which a block is taken to stay. */
  confirmations: z.int().min(1).max(1_000).default(12),
  tokens: z.record(z.string().refine(isCrypto, 'is not a crypto asset'), evmAddress),
  /** A transaction that has waited this long is sent again for a higher fee, under the same nonce. */
  bumpAfterMs: z.int().min(100).default(60_000),
  /** What a unit of gas may cost at most; above it a transfer waits for the price to fall. */
  maxFeeGwei: z.int().min(1).default(500),
  /** Blocks that one search for deposits may span. */
  logBlocksLimit: z.int().min(1).default(2_000),
})

export const chainList = z.array(chainFacts).max(20)

export type ChainFacts = z.infer<typeof chainFacts>

export const maxFeeWei = (chain: Pick<ChainFacts, 'maxFeeGwei'>): bigint => BigInt(chain.maxFeeGwei) * gwei
