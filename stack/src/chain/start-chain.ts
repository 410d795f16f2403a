import { deployDemoToken } from './demo-token.ts'
import { callChain, unlockedAccount, type Hex } from './json-rpc.ts'
import type { Env } from '../programs.ts'
import { anvilChainId, anvilSeedPhrase, findAnvil, startAnvil, type Anvil } from '../services/anvil.ts'

export type DevChain = Anvil & { readonly token: Hex }

/** The first contract of the first account has this address on every such chain. */
const firstContract: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const mintedMinor = 10n ** 15n

/** A chain with a token, of which our wallet has plenty. Undefined where there is no binary for the platform. */
export async function startDevChain(options: {
  dataDir: string
  port: number
}): Promise<DevChain | undefined> {
  if (findAnvil() === undefined) return undefined
  const anvil = await startAnvil(options)
  const isDeployed = (await callChain<Hex>(anvil.rpcUrl, 'eth_getCode', [firstContract, 'latest'])) !== '0x'
  if (!isDeployed) {
    const token = await deployDemoToken(anvil.rpcUrl)
    await token.mint(await unlockedAccount(anvil.rpcUrl), mintedMinor)
  }
  return { ...anvil, token: firstContract }
}

/** What makes the chain the home of our own wallet. Blocks come with transactions only, so one is deep enough. */
export function chainEnv(chain: { rpcUrl: string; token: Hex }, facts: object = {}): Env {
  const described = {
    network: 'BASE',
    chainId: anvilChainId,
    rpcUrl: chain.rpcUrl,
    confirmations: 1,
    tokens: { USDC: chain.token },
    ...facts,
  }
  return { CHAINS: JSON.stringify([described]), WALLET_SEED: anvilSeedPhrase }
}
