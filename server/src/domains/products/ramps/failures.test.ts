import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditAcrossOrgs, formatFindings, isClean } from '../../../kernel/ledger/audit.ts'
import { createTestClock, mobileMoneyBeneficiary } from '../../../../test/worlds/test-payments.ts'
import {
  confirmations,
  offRampBody,
  onRampBody,
  openRamps,
  useRamps,
  type OrgRamps,
} from '../../../../test/worlds/test-ramps.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { transitions } from '../../payments/lifecycle/rules.ts'
import { lateWindowMs } from './watch-closed-ramp.ts'

const clock = createTestClock()
const minuteMs = 60_000
let passedMs = 0
const t = useRamps({ clock, chain: { bumpAfterMs: 30_000, maxFeeGwei: 50 } })
let org: OrgRamps
beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
})
/** Whatever happened between the legs, the books balance in every asset. */
afterEach(async () => {
  pass(-passedMs)
  t.simulator.setFaults('pawapay', [])
  const findings = await t.deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))
  if (!isClean(findings)) throw new Error(formatFindings(findings))
})

function pass(ms: number) {
  passedMs += ms
  clock.pass(ms)
}

const usdc = (whole: number) => BigInt(whole) * 1_000_000n

async function startOff(): Promise<{ id: string; address: `0x${string}` }> {
  const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
  const body = offRampBody(payee, { client_rate: await org.rate('USDC', 'UGX') })
  const { response } = (await org.ramp(body)).body
  return { id: response.payment_id, address: response.payment_instructions.wallet_address }
}

async function startOn(change: object = {}): Promise<{ id: string; wallet: `0x${string}` }> {
  const [wallet, client_rate] = [privateKeyToAddress(generatePrivateKey()), await org.rate('UGX', 'USDC')]
  const { response } = (await org.ramp(onRampBody({ wallet_address: wallet, client_rate, ...change }))).body
  return { id: response.payment_id, wallet }
}

async function pay(address: `0x${string}`, amountMinor: bigint): Promise<void> {
  await t.chain.token.transfer(t.chain.customer, address, amountMinor)
  await t.chain.mine(confirmations)
}

/** The chain mines a transaction soon after it has accepted it, not at once. */
async function payUnconfirmed(address: `0x${string}`, amountMinor: bigint): Promise<void> {
  await t.chain.token.transfer(t.chain.customer, address, amountMinor)
  await expect.poll(() => t.chain.token.balanceOf(address)).toBe(amountMinor)
}

const exceptionsOf = async (id: string): Promise<Json[]> => org.exceptions(`&payment_id=${id}`)
const deal = (exception: Json, verb: string, body: Json) =>
  org.call('POST', `/v1/payments/exceptions/${exception.exception_id}/${verb}`, body)
const balances = (...accounts: string[]) => Promise.all(accounts.map((name) => org.balance(name, 'USDC')))

describe('a deposit that is not what was asked for', () => {
  it('in two parts: they add up, and the ramp continues', async () => {
    const { id, address } = await startOff()
    await pay(address, usdc(40))
    await org.advanceRamp(id)
    expect(await org.record(id)).toMatchObject({ status: 'pending' })
    expect(await org.balance('ramps', 'USDC')).toBe(usdc(40))
    await pay(address, usdc(60))
    await org.advanceUntil(id, ({ status }) => status === 'processing')
    await org.advanceRamp(id)
    await t.simulator.settle()
    await org.advanceUntil(id, ({ status }) => status === 'completed')
    expect(await exceptionsOf(id)).toEqual([])
  })

  it('too little until it expires: failed, and the received amount goes to manual review', async () => {
    const { id, address } = await startOff()
    await pay(address, usdc(40))
    await org.advanceRamp(id)
    pass(31 * minuteMs)
    await org.advanceRamp(id)
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'EXPIRED' } })
    const [short] = await exceptionsOf(id)
    expect([short.kind, short.summary]).toEqual(['ramp_underpaid', expect.stringContaining('40.000000 USDC')])
    expect(short.held).toEqual({ amount: 40, currency: 'USDC', provider: 'crypto' })
    expect(await balances('ramps', 'suspense')).toEqual([0n, usdc(40)])
    const { body } = await deal(short, 'release-money', { outcome: 'returned', comment: 'sent by hand' })
    expect(body.data.resolution).toBe('40.000000 USDC returned: sent by hand')
    expect(await balances('suspense', 'provider:crypto')).toEqual([0n, 0n])
  })

  it('too much: the ramp completes with its own amount, and the surplus goes to manual review', async () => {
    const { id, address } = await startOff()
    await pay(address, usdc(130))
    await org.advanceUntil(id, ({ status }) => status === 'processing')
    await org.advanceRamp(id)
    await t.simulator.settle()
    await org.advanceUntil(id, ({ status }) => status === 'completed')
    expect(await exceptionsOf(id)).toMatchObject([
      { kind: 'ramp_overpaid', summary: expect.stringContaining('30.000000 USDC') },
    ])
    expect(await org.balance('suspense', 'USDC')).toBe(usdc(30))
  })

  it('after it expired: nothing is paid out, and each arrival raises an exception', async () => {
    const { id, address } = await startOff()
    await org.advanceRamp(id)
    pass(31 * minuteMs)
    await org.advanceRamp(id)
    expect((await org.record(id)).failure.code).toBe('EXPIRED')
    await pay(address, usdc(10))
    await org.advanceRamp(id)
    await pay(address, usdc(90))
    await org.advanceRamp(id)
    const [second, first] = await exceptionsOf(id)
    expect([first.kind, second.kind]).toEqual(['ramp_paid_late', 'ramp_paid_late'])
    expect(await org.balance('suspense', 'USDC')).toBe(usdc(100))
    const kept = { outcome: 'kept', comment: 'paid by hand' }
    expect((await deal(first, 'release-money', kept)).status).toBe(200)
    expect((await deal(first, 'release-money', kept)).status).toBe(409)
    expect((await deal(second, 'close', { resolution: 'forgotten' })).body.message).toContain('release-money')
    expect(await balances('suspense', 'available')).toEqual([usdc(90), usdc(10)])
    expect(await org.record(id)).toMatchObject({ status: 'failed' })
    expect((await org.legs(id)).map(({ kind }) => kind)).toEqual(['collection'])
  })

  it('never: it is watched for a week after its end, then closed', async () => {
    const { id } = await startOff()
    pass(31 * minuteMs)
    expect((await org.advanceRamp(id)).nextPollMs).toBe(minuteMs)
    pass(lateWindowMs)
    expect((await org.advanceRamp(id)).nextPollMs).toBeUndefined()
    expect((await org.advanceRamp(id)).loaded.ramp.phase).toBe('closed')
  })

  it('is on its way when the time is over: the ramp waits for the blocks', async () => {
    const { id, address } = await startOff()
    await payUnconfirmed(address, usdc(100))
    pass(31 * minuteMs)
    await org.advanceRamp(id)
    expect((await org.record(id)).status).toBe('processing')
    await t.chain.mine(confirmations)
    await org.advanceRamp(id)
    expect((await org.advanceRamp(id)).loaded.legs.map(({ kind }) => kind)).toEqual([
      'collection',
      'delivery',
    ])
  })
})

describe('the chain', () => {
  it('a reorganisation takes a deposit back: it was never counted, and counts when it is there again', async () => {
    const { id, address } = await startOff()
    const snapshot = await t.chain.call('evm_snapshot')
    await payUnconfirmed(address, usdc(100))
    await org.advanceRamp(id)
    expect(await org.record(id)).toMatchObject({ status: 'processing', provider_status: 'confirming' })
    await t.chain.call('evm_revert', snapshot)
    await t.chain.mine(confirmations + 2)
    await org.advanceRamp(id)
    expect(await org.record(id)).toMatchObject({ status: 'pending', provider_status: 'awaiting_deposit' })
    expect(await org.balance('ramps', 'USDC')).toBe(0n)
    await pay(address, usdc(100))
    await org.advanceUntil(id, ({ provider_status }) => provider_status === 'confirmed')
    expect(await org.balance('ramps', 'USDC')).toBe(usdc(100))
  })

  it('gas rises after the broadcast: the same nonce is sent for a higher fee, and one transfer arrives', async () => {
    await t.chain.call('evm_setAutomine', false)
    const { id, wallet } = await startOn()
    await t.simulator.settle()
    await org.advanceRamp(id)
    await t.chain.call('anvil_setNextBlockBaseFeePerGas', '0x1bf08eb00')
    await t.chain.mine(1)
    expect(await t.chain.token.balanceOf(wallet)).toBe(0n)
    pass(31_000)
    await org.advanceRamp(id)
    const { rows } = await t.owner.query<{ nonces: string; versions: string }>(
      `select count(distinct t.nonce) as nonces, count(*) as versions
       from wallet_transfers t join wallet_transactions v using (org_id, reference) where t.org_id = $1`,
      [org.orgId],
    )
    expect(rows).toEqual([{ nonces: '1', versions: '2' }])
    await t.chain.call('evm_setAutomine', true)
    await org.advanceUntil(id, ({ status }) => status === 'completed')
    expect(await t.chain.token.balanceOf(wallet)).toBe(99_999_999n)
  })

  it('gas above the limit: nothing is promised to the chain, and the delivery waits until it falls', async () => {
    const { id, wallet } = await startOn()
    await t.simulator.settle()
    await t.chain.call('anvil_setNextBlockBaseFeePerGas', '0x174876e800')
    await t.chain.mine(1)
    await org.advanceRamp(id)
    expect((await org.legs(id)).at(-1)).toMatchObject({ kind: 'delivery', state: 'not_sent' })
    expect(await t.owner.query('select from wallet_transfers where org_id = $1', [org.orgId])).toMatchObject({
      rowCount: 0,
    })
    await t.chain.call('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
    await t.chain.mine(1)
    await org.advanceUntil(id, ({ status }) => status === 'completed')
    expect(await t.chain.token.balanceOf(wallet)).toBe(99_999_999n)
  })
})

describe('a delivery that fails for good', () => {
  it('the issuer has blocked the wallet: the fiat goes back, and nothing was sent', async () => {
    const { id, wallet } = await startOn()
    await t.chain.token.setBlocked(wallet, true)
    await t.simulator.settle()
    await org.advanceRamp(id)
    await org.advanceRamp(id)
    await t.simulator.settle()
    const record = await org.advanceUntil(id, ({ status }) => status === 'refunded')
    expect(record).toMatchObject({ refunded_amount: 369_550, failure: { code: 'ADDRESS_INVALID' } })
    expect((await org.legs(id)).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'collection succeeded',
      'delivery declined',
      'refund succeeded',
    ])
    expect(await org.balance('provider:pawapay', 'UGX')).toBe(0n)
    expect(await t.chain.token.balanceOf(wallet)).toBe(0n)
  })

  it('the address was denied after the money was collected: it goes back', async () => {
    const { id, wallet } = await startOn()
    await org.call('PUT', `/v1/screening/addresses/${wallet}`, { verdict: 'deny', reason: 'late' })
    await t.simulator.settle()
    await org.advanceRamp(id)
    await org.advanceRamp(id)
    await t.simulator.settle()
    await org.advanceUntil(id, ({ status }) => status === 'refunded')
    expect(await t.chain.token.balanceOf(wallet)).toBe(0n)
  })

  it('and the refund is refused too: the amount moves to suspense and goes to manual review', async () => {
    const { id, wallet } = await startOn()
    await t.chain.token.setBlocked(wallet, true)
    await t.simulator.settle()
    await org.advanceRamp(id)
    t.simulator.setFaults('pawapay', [{ on: 'refund', fault: 'decline', reason: 'declined' }])
    await org.advanceRamp(id)
    await t.simulator.settle()
    await org.advanceUntil(id, ({ status }) => status === 'failed')
    expect(await exceptionsOf(id)).toMatchObject([
      { kind: 'ramp_not_delivered', summary: expect.stringContaining('369550.0 UGX') },
    ])
    expect(await org.balance('suspense', 'UGX')).toBe(369_550n)
  })

  it('the payout of an off-ramp: the tokens move to suspense and go to manual review', async () => {
    const { id, address } = await startOff()
    await pay(address, usdc(100))
    await org.advanceUntil(id, ({ status }) => status === 'processing')
    t.simulator.setFaults('pawapay', [{ on: 'payout', fault: 'decline', reason: 'declined' }])
    await org.advanceRamp(id)
    await t.simulator.settle()
    await org.advanceUntil(id, ({ status }) => status === 'failed')
    expect(await exceptionsOf(id)).toMatchObject([
      { kind: 'ramp_not_delivered', summary: expect.stringContaining('100.000000 USDC') },
    ])
    expect(await org.balance('suspense', 'USDC')).toBe(usdc(100))
  })

  it('our wallet is empty: the delivery is tried again until it is filled', async () => {
    const all = await t.chain.token.balanceOf(t.chain.wallet)
    await t.chain.call('anvil_impersonateAccount', t.chain.wallet)
    await t.chain.token.transfer(t.chain.wallet, t.chain.customer, all)
    const { id, wallet } = await startOn()
    await t.simulator.settle()
    await org.advanceRamp(id)
    expect((await org.legs(id)).at(-1)).toMatchObject({ kind: 'delivery', state: 'not_sent' })
    await t.chain.token.mint(t.chain.wallet, all)
    await org.advanceUntil(id, ({ status }) => status === 'completed')
    expect(await t.chain.token.balanceOf(wallet)).toBe(99_999_999n)
  })
})

describe('fiat that comes late', () => {
  it('goes to manual review; nothing is sent', async () => {
    const { id, wallet } = await startOn()
    pass(31 * minuteMs)
    await org.advanceRamp(id)
    expect((await org.record(id)).failure.code).toBe('EXPIRED')
    await t.simulator.settle()
    await org.advanceRamp(id)
    expect(await exceptionsOf(id)).toMatchObject([{ kind: 'ramp_paid_late' }])
    expect(await org.balance('suspense', 'UGX')).toBe(369_550n)
    expect(await t.chain.token.balanceOf(wallet)).toBe(0n)
  })
})
