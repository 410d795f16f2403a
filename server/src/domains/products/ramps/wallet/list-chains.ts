import { createPublicClient, http } from 'viem'
import type { Chain, TokenPlace, Wallets } from './record.ts'
import type { ChainFacts } from './schema.ts'

const rpcTimeoutMs = 10_000

export const createChains = (facts: readonly ChainFacts[]): Chain[] =>
  facts.map((chain) => ({
    ...chain,
    client: createPublicClient({
      // Supervision repeats the whole step, so a single call is not retried.
      transport: http(chain.rpcUrl, { retryCount: 0, timeout: rpcTimeoutMs }),
      cacheTime: 0,
    }),
  }))

/** Undefined when our wallet does not hold the asset on the network. */
export function findToken(
  wallets: Wallets,
  wanted: { network: string; asset: string },
): TokenPlace | undefined {
  const chain = wallets.chains.find(({ network }) => network === wanted.network)
  const token = chain?.tokens[wanted.asset]
  return chain && token && wallets.signer ? { chain, token, signer: wallets.signer } : undefined
}

export const findChain = (wallets: Wallets, chainId: number): Chain => {
  const chain = wallets.chains.find((candidate) => candidate.chainId === chainId)
  if (!chain) throw new Error(`chain ${chainId} is no longer configured`)
  return chain
}
