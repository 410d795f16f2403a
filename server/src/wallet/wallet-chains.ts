import { createPublicClient, http, type Address, type PublicClient } from 'viem'
import type { ChainFacts } from './schema.ts'
import type { Signer } from './transaction-signer.ts'

export interface Chain extends ChainFacts {
  client: PublicClient
}

/** The installation's own wallet: where it is, and who signs for it. */
export interface Wallets {
  chains: readonly Chain[]
  /** Absent: there is no wallet of our own. */
  signer: Signer | undefined
}

const rpcTimeoutMs = 10_000

export const createChains = (facts: readonly ChainFacts[]): Chain[] =>
  facts.map((chain) => ({
    ...chain,
    client: createPublicClient({
      // Asked again by whoever looks after the transfer; a call by itself fails at once.
      transport: http(chain.rpcUrl, { retryCount: 0, timeout: rpcTimeoutMs }),
      cacheTime: 0,
    }),
  }))

export interface TokenPlace {
  chain: Chain
  token: Address
  signer: Signer
}

/** Undefined where our wallet does not hold the asset on the network. */
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
