import { beforeEach, describe, expect, it } from 'vitest'
import { privateKeyToAddress, generatePrivateKey } from 'viem/accounts'
import { auditAcrossOrgs, formatFindings } from '../../../kernel/ledger/audit.ts'
import { mobileMoneyBeneficiary } from '../../../../test/worlds/test-payments.ts'
import {
  offRampBody,
  onRampBody,
  openRamps,
  useRamps,
  type OrgRamps,
} from '../../../../test/worlds/test-ramps.ts'
import { transitions } from '../../payments/lifecycle/rules.ts'

const t = useRamps()
let org: OrgRamps
beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
})

const newWallet = () => privateKeyToAddress(generatePrivateKey())

async function startOnRamp(wallet: string) {
  const answer = await org.ramp(
    onRampBody({ wallet_address: wallet, client_rate: await org.rate('UGX', 'USDC') }),
  )
  expect(answer.text).toContain('"statusCode":200')
  return answer.body.response
}

async function startOffRamp() {
  const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
  const answer = await org.ramp(offRampBody(payee, { client_rate: await org.rate('USDC', 'UGX') }))
  expect(answer.text).toContain('"statusCode":200')
  return answer.body.response
}

async function expectBooksToBalance() {
  const findings = await t.deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))
  expect(formatFindings(findings.filter((finding) => finding.violations > 0))).not.toContain(':')
}

describe('fiat to a wallet', () => {
  it('the fiat is collected, the tokens arrive once, and both assets are in the ledger', async () => {
    const wallet = newWallet()
    const { payment_id: id, ...response } = await startOnRamp(wallet)
    expect(response).toMatchObject({
      direction: 'on_ramp',
      status: 'pending',
      provider: 'hybrid',
      crypto_amount: 99.999999,
      next_action: 'wait',
    })
    await t.simulator.settle()
    const record = await org.advanceUntil(id, ({ status }) => status === 'completed')
    expect(record).toMatchObject({ direction: 'external', payment_method: 'crypto', currency: 'UGX' })
    expect(await t.chain.token.balanceOf(wallet)).toBe(99_999_999n)
    expect(await org.balance('provider:pawapay', 'UGX')).toBe(-369_550n)
    expect(await org.balance('provider:crypto', 'USDC')).toBe(99_999_999n)
    expect([await org.balance('ramps', 'UGX'), await org.balance('ramps', 'USDC')]).toEqual([0n, 0n])
    expect(await org.eventTypes(id)).toContain('payment.completed')
    await expectBooksToBalance()
  })
})

describe('a wallet to fiat', () => {
  it('the tokens are waited for until they are deep enough, then the fiat is paid out', async () => {
    const { payment_id: id, ...response } = await startOffRamp()
    expect(response).toMatchObject({
      direction: 'off_ramp',
      status: 'pending',
      crypto_amount: 100,
      next_action: 'make_transfer',
      payment_instructions: { type: 'crypto_transfer', network: 'BASE', amount: 100, currency: 'USDC' },
    })
    const address = response.payment_instructions.wallet_address
    await t.chain.token.transfer(t.chain.customer, address, 100_000_000n)
    const seen = await org.advanceUntil(id, ({ provider_status }) => provider_status !== 'awaiting_deposit')
    expect(seen).toMatchObject({ status: 'processing', provider_status: 'confirming' })
    await org.advanceUntil(id, () => true)
    await org.advanceUntil(id, ({ provider_status }) => provider_status !== 'confirming')
    await org.advanceRamp(id)
    await t.simulator.settle()
    const record = await org.advanceUntil(id, ({ status }) => status === 'completed')
    expect(record).toMatchObject({ currency: 'USDC', amount: 100, target_currency: 'UGX' })
    expect(await t.chain.token.balanceOf(address)).toBe(100_000_000n)
    expect(await org.balance('provider:crypto', 'USDC')).toBe(-100_000_000n)
    expect(await org.balance('provider:pawapay', 'UGX')).toBe(369_550n)
    await expectBooksToBalance()
  })

  it('tokens that arrive after the ramp has ended are in suspense and raised, once', async () => {
    const { payment_id: id, payment_instructions } = await startOffRamp()
    const address = payment_instructions.wallet_address
    await t.chain.token.transfer(t.chain.customer, address, 100_000_000n)
    await org.advanceRamp(id)
    await org.advanceUntil(id, ({ provider_status }) => provider_status !== 'confirming')
    await org.advanceRamp(id)
    await t.simulator.settle()
    await org.advanceUntil(id, ({ status }) => status === 'completed')
    const before = await org.balance('suspense', 'USDC')
    await t.chain.token.transfer(t.chain.customer, address, 7_000_000n)
    const raised = async () =>
      (await org.exceptions(`&payment_id=${id}`)).filter(({ kind }) => kind === 'ramp_paid_again')
    for (let poll = 0; poll < 30 && (await raised()).length === 0; poll += 1) {
      await org.advanceRamp(id)
      await t.chain.mine(1)
    }
    for (let poll = 0; poll < 3; poll += 1) await org.advanceRamp(id)
    expect(await raised()).toMatchObject([{ held: { amount: 7, currency: 'USDC' }, status: 'open' }])
    expect((await org.balance('suspense', 'USDC')) - before).toBe(7_000_000n)
    expect((await org.record(id)).status).toBe('completed')
    await expectBooksToBalance()
  })
})
