import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anvilSeedPhrase } from '@switchyard/stack/services/anvil.ts'
import { newId } from '../../../../lib/ids.ts'
import { clockedDatabase } from '../../../../../test/app/clocked-database.ts'
import { useDatabase } from '../../../../../test/app/test-database.ts'
import { createTestClock } from '../../../../../test/worlds/test-payments.ts'
import { confirmations, startTestChain, type TestChain } from '../../../../../test/worlds/test-ramps.ts'
import { createChains } from './list-chains.ts'
import { pushTransfer } from './push-transfer.ts'
import type { WalletDeps } from './record.ts'
import { chainList } from './schema.ts'
import { abandon, sendTransfer, type TransferOrder } from './send-transfer.ts'
import { createLocalSigner } from './sign-transfer.ts'

const heldMinor = 1_000n
const orgId = newId()
const bumpAfterMs = 30_000
const clock = createTestClock()
const t = useDatabase()
let chain: TestChain
let deps: WalletDeps
beforeAll(async () => {
  chain = await startTestChain({ bumpAfterMs })
  await chain.token.mint(chain.wallet, heldMinor)
  const facts = chainList.parse(JSON.parse(chain.env['CHAINS'] ?? '[]'))
  const wallets = { chains: createChains(facts), signer: createLocalSigner(anvilSeedPhrase) }
  deps = { db: clockedDatabase(t.db, clock), wallets }
})
afterAll(() => chain.stop())

const orderOf = (amountMinor: bigint): TransferOrder => ({
  reference: randomUUID(),
  network: 'BASE',
  asset: 'USDC',
  to: privateKeyToAddress(generatePrivateKey()),
  amountMinor,
})
const versionsOf = async ({ reference }: TransferOrder): Promise<number> => {
  const sql = 'select version_no from wallet_transactions where reference = $1'
  return (await t.owner.query(sql, [reference])).rows.length
}

describe('a transfer', () => {
  it('that is ordered by several processes at once is sent once, and ends when it is deep enough', async () => {
    const order = orderOf(100n)
    const sent = await Promise.all(Array.from({ length: 5 }, () => sendTransfer(deps, orgId, order)))
    expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(['waiting']))
    await chain.mine(1)
    expect(await chain.token.balanceOf(order.to)).toBe(100n)
    await chain.mine(confirmations)
    expect(await sendTransfer(deps, orgId, order)).toMatchObject({ kind: 'confirmed' })
    expect(await chain.token.balanceOf(order.to)).toBe(100n)
    expect(await versionsOf(order)).toBe(1)
  })

  it('that waits too long gets a version with a higher fee, under the same nonce: one of them is mined', async () => {
    await chain.call('evm_setAutomine', false)
    try {
      const order = orderOf(50n)
      await sendTransfer(deps, orgId, order)
      await pushTransfer(deps, orgId, order.reference)
      expect(await versionsOf(order)).toBe(1)
      clock.pass(bumpAfterMs)
      await pushTransfer(deps, orgId, order.reference)
      expect(await versionsOf(order)).toBe(2)
      await chain.mine(confirmations)
      expect(await pushTransfer(deps, orgId, order.reference)).toMatchObject({ kind: 'confirmed' })
      expect(await chain.token.balanceOf(order.to)).toBe(50n)
    } finally {
      await chain.call('evm_setAutomine', true)
    }
  })

  it('of more than the wallet holds is put off, and takes no nonce', async () => {
    const order = orderOf(heldMinor + 1n)
    expect(await sendTransfer(deps, orgId, order)).toEqual({
      kind: 'later',
      reason: 'our wallet does not hold enough of the asset',
    })
    expect(await pushTransfer(deps, orgId, order.reference)).toEqual({ kind: 'absent' })
    const { rows } = await t.owner.query('select 1 from wallet_transfers where reference = $1', [
      order.reference,
    ])
    expect(rows).toEqual([])
  })

  it('that the token contract rejects is refused', async () => {
    const order = orderOf(10n)
    await chain.token.setBlocked(order.to, true)
    expect(await sendTransfer(deps, orgId, order)).toEqual({ kind: 'refused' })
  })

  it('of an asset or network that the wallet does not have is put off', async () => {
    const kinds = await Promise.all([
      sendTransfer(deps, orgId, { ...orderOf(10n), network: 'CELO' }),
      sendTransfer(deps, orgId, { ...orderOf(10n), asset: 'USDT' }),
    ])
    expect(kinds.map(({ kind }) => kind)).toEqual(['later', 'later'])
  })

  it('that was given up is never sent', async () => {
    const order = orderOf(10n)
    expect(await abandon(deps, orgId, order.reference)).toBeUndefined()
    expect(await sendTransfer(deps, orgId, order)).toMatchObject({ kind: 'later' })
    await chain.mine(confirmations)
    expect(await chain.token.balanceOf(order.to)).toBe(0n)
  })

  it('that was sent cannot be given up', async () => {
    const order = orderOf(10n)
    await sendTransfer(deps, orgId, order)
    expect(await abandon(deps, orgId, order.reference)).toMatchObject({ kind: 'waiting' })
  })
})
