import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anvilSeedPhrase } from '@switchyard/stack/services/anvil.ts'
import { newId } from '../../../../lib/ids.ts'
import { useDatabase } from '../../../../../test/app/test-database.ts'
import { confirmations, startTestChain, type TestChain } from '../../../../../test/worlds/test-ramps.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { createChains } from './list-chains.ts'
import type { WalletDeps } from './record.ts'
import { chainList } from './schema.ts'
import { createLocalSigner } from './sign-transfer.ts'
import { findDeposits, openDeposit } from './watch-deposit.ts'

const orgId = newId()
const t = useDatabase()
let chain: TestChain
let deps: WalletDeps
beforeAll(async () => {
  // Ranges of two blocks, so that a scan needs several of them.
  chain = await startTestChain({ logBlocksLimit: 2 })
  await chain.token.mint(chain.customer, 1_000n)
  const facts = chainList.parse(JSON.parse(chain.env['CHAINS'] ?? '[]'))
  const wallets = { chains: createChains(facts), signer: createLocalSigner(anvilSeedPhrase) }
  deps = { db: t.db, wallets }
})
afterAll(() => chain.stop())

async function open(
  reference: string = randomUUID(),
): Promise<{ reference: string; address: `0x${string}` }> {
  const address = await openDeposit(deps, orgId, { reference, network: 'BASE', asset: 'USDC' })
  if (!address) throw new Error('no deposit address was opened')
  return { reference, address }
}
const pay = async (address: `0x${string}`, amountMinor: bigint): Promise<void> => {
  const hash = await chain.token.transfer(chain.customer, address, amountMinor)
  const isMined = async () => (await chain.call('eth_getTransactionReceipt', hash)) !== null
  await until('the transfer is in a block', isMined)
}

describe('a deposit address', () => {
  it('belongs to one reference: the same on every call, another one for another reference', async () => {
    const { reference, address } = await open()
    expect((await open(reference)).address).toBe(address)
    expect((await open()).address).not.toBe(address)
  })

  it('is not opened for an asset that the wallet does not hold', async () => {
    const wanted = { reference: randomUUID(), network: 'CELO', asset: 'USDC' }
    expect(await openDeposit(deps, orgId, wanted)).toBeUndefined()
  })

  it('is unknown to another organisation', async () => {
    const { reference } = await open()
    expect(await findDeposits(deps, newId(), reference)).toBeUndefined()
  })
})

describe('deposits', () => {
  it('are seen at once, and confirmed when they are deep enough', async () => {
    const { reference, address } = await open()
    await pay(address, 40n)
    expect(await findDeposits(deps, orgId, reference)).toEqual({ confirmedMinor: 0n, seenMinor: 40n })
    await chain.mine(confirmations - 1)
    expect(await findDeposits(deps, orgId, reference)).toEqual({ confirmedMinor: 40n, seenMinor: 40n })
  })

  it('of equal amounts add up, and are counted once however often the chain is scanned', async () => {
    const { reference, address } = await open()
    for (const amountMinor of [30n, 30n]) {
      await pay(address, amountMinor)
      await chain.mine(confirmations + 5)
    }
    const polls = await Promise.all(Array.from({ length: 4 }, () => findDeposits(deps, orgId, reference)))
    for (const status of polls) expect(status?.confirmedMinor).toBe(60n)
    expect(await findDeposits(deps, orgId, reference)).toEqual({ confirmedMinor: 60n, seenMinor: 60n })
  })

  it('that a reorganisation removes before they are deep enough do not count', async () => {
    const { reference, address } = await open()
    const snapshot = await chain.call<string>('evm_snapshot')
    await pay(address, 25n)
    expect(await findDeposits(deps, orgId, reference)).toMatchObject({ seenMinor: 25n })
    await chain.call('evm_revert', snapshot)
    await chain.mine(confirmations + 1)
    expect(await findDeposits(deps, orgId, reference)).toEqual({ confirmedMinor: 0n, seenMinor: 0n })
  })
})
