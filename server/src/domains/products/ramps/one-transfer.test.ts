import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'
import {
  confirmations,
  onRampBody,
  openRamps,
  useRamps,
  type OrgRamps,
} from '../../../../test/worlds/test-ramps.ts'
import type { Chain } from './wallet/record.ts'
import { advanceRamp } from './advance-ramp.ts'
import type { RampDeps } from './record.ts'

const bumpAfterMs = 30_000
const clock = createTestClock()
const t = useRamps({ clock, chain: { bumpAfterMs } })
let org: OrgRamps
beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
})

/** An on-ramp whose fiat is there: what is left is to send the tokens. */
async function collected(): Promise<{ id: string; wallet: `0x${string}` }> {
  const wallet = privateKeyToAddress(generatePrivateKey())
  const client_rate = await org.rate('UGX', 'USDC')
  const { response } = (await org.ramp(onRampBody({ wallet_address: wallet, client_rate }))).body
  await t.simulator.settle()
  return { id: response.payment_id, wallet }
}

/** One of several workers, whose node behaves as given. */
const worker = (node: Partial<Chain['client']>, change: Partial<RampDeps> = {}): RampDeps => ({
  ...t.deps,
  ...change,
  wallets: {
    ...t.deps.wallets,
    chains: t.deps.wallets.chains.map((chain) => ({ ...chain, client: { ...chain.client, ...node } })),
  },
})

const advance = (deps: RampDeps, paymentId: string) => advanceRamp(deps, { orgId: org.orgId, paymentId })
const gone = () => Promise.reject(new Error('the node is gone'))
/** What the node really says. */
const node = (): Chain['client'] => {
  const [chain] = t.deps.wallets.chains
  if (!chain) throw new Error('no chain')
  return chain.client
}

async function expectOneTransfer({ id, wallet }: { id: string; wallet: `0x${string}` }): Promise<void> {
  await org.advanceUntil(id, ({ status }) => status === 'completed')
  expect(await t.chain.token.balanceOf(wallet)).toBe(99_999_999n)
  expect(await t.owner.query('select from wallet_transfers where org_id = $1', [org.orgId])).toMatchObject({
    rowCount: 1,
  })
}

describe('a transfer that was decided on when its worker lost the node', () => {
  it('and then the address cannot be screened: the transfer does not count as never sent', async () => {
    const ramp = await collected()
    await advance(worker({ getBlockNumber: gone }), ramp.id)
    expect((await org.legs(ramp.id)).at(-1)).toMatchObject({ kind: 'delivery', state: 'unknown' })
    await advance(worker({}, { screener: { screen: gone } }), ramp.id)
    expect((await org.legs(ramp.id)).at(-1)).toMatchObject({ kind: 'delivery', state: 'accepted' })
    await expectOneTransfer(ramp)
  })

  it('and then the address is denied: the fiat does not go back as well', async () => {
    const ramp = await collected()
    await advance(worker({ getBlockNumber: gone }), ramp.id)
    await org.call('PUT', `/v1/screening/addresses/${ramp.wallet}`, { verdict: 'deny', reason: 'late' })
    await expectOneTransfer(ramp)
    expect((await org.legs(ramp.id)).map(({ kind }) => kind)).toEqual(['collection', 'delivery'])
  })
})

describe('two workers at the same leg', () => {
  it('one finds the wallet empty because the other has sent: both know of one transfer', async () => {
    const ramp = await collected()
    await advance(worker({ getTransactionCount: gone }), ramp.id)
    const empty = worker({
      // Typed for every contract there is; ours asks for a balance.
      readContract: (async () => {
        await org.advanceRamp(ramp.id)
        return 0n
      }) as unknown as Chain['client']['readContract'],
    })
    await advance(empty, ramp.id)
    await expectOneTransfer(ramp)
  })
})

describe('a dearer version', () => {
  it('has gas for a wallet that has never held the token, although the first version is about to be mined', async () => {
    const ramp = await collected()
    await t.chain.call('evm_setAutomine', false)
    await org.advanceRamp(ramp.id)
    clock.pass(bumpAfterMs)
    await org.advanceRamp(ramp.id)
    await t.chain.call('evm_setAutomine', true)
    await expectOneTransfer(ramp)
  })

  it('of another worker is not taken for a stranger’s by one that was slow to ask the chain', async () => {
    const ramp = await collected()
    await t.chain.call('evm_setAutomine', false)
    await org.advanceRamp(ramp.id)
    const slow = worker({
      async getBlockNumber(request) {
        clock.pass(bumpAfterMs)
        await org.advanceRamp(ramp.id)
        await t.chain.mine(confirmations + 2)
        return node().getBlockNumber(request)
      },
    })
    await advance(slow, ramp.id)
    await t.chain.call('evm_setAutomine', true)
    await expectOneTransfer(ramp)
  })
})
