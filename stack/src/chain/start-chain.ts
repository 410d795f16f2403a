import { deployDemoToken } from './demo-token.ts'
import { callChain, unlockedAccount, type Hex } from './json-rpc.ts'
import type { Env } from '../programs.ts'
import {
  anvilChainId,
  anvilSeedPhrase,
  findAnvil,
  startAnvil,
  type Anvil,
  type AnvilOptions,
} from '../services/anvil.ts'

export type LocalChain = Anvil & { readonly token: Hex }

/** The address of the first contract that the first account deploys: it depends on nothing else. */
const firstContract: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const mintedMinor = 10n ** 15n

/** Starts a chain whose demo token our wallet owns. Returns undefined if there is no binary for the platform. */
export async function startChain(options: AnvilOptions): Promise<LocalChain | undefined> {
  if (findAnvil() === undefined) return undefined
  const anvil = await startAnvil(options)
  const isDeployed = (await callChain<Hex>(anvil.rpcUrl, 'eth_getCode', [firstContract, 'latest'])) !== '0x'
  if (!isDeployed) {
    const token = await deployDemoToken(anvil.rpcUrl)
    await token.mint(await unlockedAccount(anvil.rpcUrl), mintedMinor)
  }
  return { ...anvil, token: firstContract }
}

/** Configures the chain as our wallet's. By default one confirmation is enough: blocks come with transactions only. */
export function chainEnv(chain: { rpcUrl: string; token: Hex }, settings: object = {}): Env {
  const described = {
    network: 'BASE',
    chainId: anvilChainId,
    rpcUrl: chain.rpcUrl,
    confirmations: 1,
    tokens: { USDC: chain.token },
    ...settings,
  }
  return { CHAINS: JSON.stringify([described]), WALLET_SEED: anvilSeedPhrase }
}
