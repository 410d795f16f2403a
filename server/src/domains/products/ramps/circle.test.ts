import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { auditAcrossOrgs, formatFindings, isClean } from '../../../kernel/ledger/audit.ts'
import { openRamps, useRamps, type OrgRamps } from '../../../../test/worlds/test-ramps.ts'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { transitions } from '../../payments/lifecycle/rules.ts'

const clock = createTestClock()
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const iban = 'DE31100400480532013000'
const t = useRamps({ clock })
let org: OrgRamps
let sequence: number
beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('circle', 'US')
  await org.configure('circle', 'DE')
  sequence = t.simulator.log({ provider: 'circle' }).at(-1)?.sequence ?? 0
})
/** Whatever happened between the legs, the books balance in every asset. */
afterEach(async () => {
  t.simulator.setFaults('circle', [])
  t.simulator.configure('circle', { options: { customer_pays: '', reuses_addresses: false } })
  const findings = await t.deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))
  if (!isClean(findings)) throw new Error(formatFindings(findings))
})

const customerPays = (amount: string) =>
  t.simulator.configure('circle', { options: { customer_pays: amount } })

const wireIn = async (change: object = {}): Promise<Json> => {
  const answer = await org.ramp({
    fiat_currency: 'USD',
    fiat_amount: 1000,
    client_rate: await org.rate('USD', 'USDC'),
    crypto_currency: 'USDC',
    crypto_network: 'BASE',
    country: 'US',
    direction: 'on_ramp',
    wallet_address: wallet,
    bank_details: { account_number: '12340010', bank_code: '121000248', bank_name: 'WELLS FARGO' },
    ...change,
  })
  expect(answer.text).toContain('"statusCode":200')
  return answer.body.response
}

const walletIn = async (change: object = {}) => {
  const answer = await org.ramp({
    fiat_currency: 'EUR',
    fiat_amount: 450,
    client_rate: await org.rate('EURC', 'EUR'),
    crypto_currency: 'EURC',
    crypto_network: 'BASE',
    country: 'DE',
    direction: 'off_ramp',
    beneficiary_name: 'Grace Hopper',
    bank_details: { account_number: iban, bank_code: 'COBADEFF', bank_name: 'COMMERZBANK' },
    ...change,
  })
  // Nobody pays from the account that is linked later, to be paid.
  customerPays('')
  return answer
}

/** By webhooks alone, without polling. */
const becomes = (id: string, status: string) =>
  vi.waitFor(async () => expect((await org.record(id)).status).toBe(status), defaultWaitMs)
const exceptionKinds = async (id: string): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${id}`)).map(({ kind }) => kind)
const accepted = () =>
  t.simulator
    .log({ provider: 'circle', afterSequence: sequence })
    .map(({ kind, amount, currency }) => `${kind} ${Number(amount)} ${currency}`)

describe('dollars by wire to a wallet', () => {
  it('the wire is waited for, then the tokens leave once, and both assets are in the ledger', async () => {
    customerPays('1000.00')
    const { payment_id: id, ...response } = await wireIn()
    expect(response).toMatchObject({
      provider: 'circle',
      status: 'pending',
      crypto_amount: 1000,
      next_action: 'make_transfer',
      payment_instructions: {
        type: 'bank_transfer',
        bank_code: '999999999',
        reference: expect.stringMatching(/^CIR/),
        amount: 1000,
        currency: 'USD',
      },
    })
    expect(Date.parse(response['expires_at'])).toBeGreaterThan(Date.now() + 71 * 3_600_000)
    await t.simulator.settle()
    await becomes(id, 'processing')
    await org.advanceRamp(id)
    await t.simulator.settle()
    await becomes(id, 'completed')
    expect(accepted()).toEqual(['charge 1000 USD', 'payout 1000 USDC'])
    expect((await org.legs(id)).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'collection succeeded',
      'delivery succeeded',
    ])
    expect(await org.balance('provider:circle', 'USD')).toBe(-100_000n)
    expect(await org.balance('provider:circle', 'USDC')).toBe(1_000_000_000n)
    expect(await exceptionKinds(id)).toEqual([])
    clock.pass(11 * 60_000)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const body = { provider: 'circle', since }
    const reconciled = await t.call('POST', '/v1/payments/reconciliation', {
      as: t.seed.platformAdmin.api_key,
      body,
    })
    clock.pass(-11 * 60_000)
    // Circle lists both legs, under its own names.
    expect(reconciled.body.data).toMatchObject({ checked: 2, findings: [] })
  })

  it.each(['error_500_accepted', 'cut_answer'] as const)(
    'a transfer whose answer is lost (%s) is asked for again under its key, and leaves once',
    async (fault) => {
      customerPays('1000.00')
      const { payment_id: id } = await wireIn()
      await t.simulator.settle()
      await becomes(id, 'processing')
      t.simulator.setFaults('circle', [{ on: 'payout', fault }])
      await org.advanceRamp(id)
      expect((await org.legs(id)).at(-1)).toMatchObject({ kind: 'delivery', state: 'unknown' })
      await org.advanceRamp(id)
      expect((await org.legs(id)).at(-1)).toMatchObject({ kind: 'delivery', state: 'accepted' })
      await t.simulator.settle()
      await becomes(id, 'completed')
      expect(accepted()).toEqual(['charge 1000 USD', 'payout 1000 USDC'])
    },
  )

  it('money that arrives before the answer is sent remains counted', async () => {
    customerPays('1000.00')
    const write = t.deps.db.batchInOrg.bind(t.deps.db)
    let hasCome = false
    const slow = vi.spyOn(t.deps.db, 'batchInOrg').mockImplementation(async (orgId, batch) => {
      const result = await write(orgId, batch)
      if (hasCome || !batch.some(({ sql }) => sql.startsWith('update "ramp_legs"'))) return result
      hasCome = true
      await t.simulator.settle()
      await vi.waitFor(async () => expect(await org.balance('ramps', 'USD')).toBe(100_000n), defaultWaitMs)
      return result
    })
    const { payment_id: id } = await wireIn()
    slow.mockRestore()
    const { rows } = await t.owner.query('select phase, received_minor from ramps where payment_id = $1', [
      id,
    ])
    expect(rows).toEqual([{ phase: 'delivering', received_minor: '100000' }])
    await org.advanceRamp(id)
    await t.simulator.settle()
    await becomes(id, 'completed')
  })

  it('a ramp whose first answer was lost is waited for as long as its wire may take', async () => {
    t.simulator.setFaults('circle', [{ on: 'collect', fault: 'cut_answer' }])
    const { payment_id: id } = await wireIn()
    await org.advanceRamp(id)
    clock.pass(24 * 3_600_000)
    await org.advanceRamp(id)
    clock.pass(-24 * 3_600_000)
    expect((await org.record(id)).status).toBe('pending')
  })

  it('a repeat that is refused, or never gets there, says nothing about the transfer before it', async () => {
    customerPays('1000.00')
    const { payment_id: id } = await wireIn()
    await t.simulator.settle()
    await becomes(id, 'processing')
    t.simulator.setFaults('circle', [{ on: 'payout', fault: 'error_500_accepted' }])
    await org.advanceRamp(id)
    t.simulator.setFaults('circle', [{ on: 'prepare', fault: 'down' }])
    await org.advanceRamp(id)
    await org.call('PUT', `/v1/screening/addresses/${wallet}`, { verdict: 'deny', reason: 'late' })
    await org.advanceRamp(id)
    expect(await org.legs(id)).toHaveLength(2)
    expect((await org.legs(id)).at(-1)).toMatchObject({ kind: 'delivery', state: 'unknown' })
    await org.call('DELETE', `/v1/screening/addresses/${wallet}`)
    await org.advanceRamp(id)
    await t.simulator.settle()
    await becomes(id, 'completed')
    expect(accepted()).toEqual(['charge 1000 USD', 'payout 1000 USDC'])
  })

  it('a delivery that fails for good goes back to the account it came from', async () => {
    customerPays('1000.00')
    const { payment_id: id } = await wireIn()
    await t.simulator.settle()
    await becomes(id, 'processing')
    await org.call('PUT', `/v1/screening/addresses/${wallet}`, { verdict: 'deny', reason: 'late' })
    await org.advanceRamp(id)
    await org.advanceRamp(id)
    await t.simulator.settle()
    await becomes(id, 'refunded')
    expect(accepted()).toEqual(['charge 1000 USD', 'payout 1000 USD'])
    expect(await org.balance('provider:circle', 'USD')).toBe(0n)
  })

  it('too little: the ramp waits for the rest, and raises an exception when it expires', async () => {
    customerPays('400.00')
    const { payment_id: id } = await wireIn()
    await t.simulator.settle()
    await vi.waitFor(async () => expect(await org.balance('ramps', 'USD')).toBe(40_000n), defaultWaitMs)
    expect((await org.record(id)).status).toBe('pending')
    clock.pass(73 * 3_600_000)
    await org.advanceRamp(id)
    clock.pass(-73 * 3_600_000)
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'EXPIRED' } })
    expect(await exceptionKinds(id)).toEqual(['ramp_underpaid'])
  })
})

describe('a wallet to euros on an account', () => {
  it('the tokens are waited for at an address of its own, then the euros are paid out', async () => {
    customerPays('450.00')
    const { payment_id: id, ...response } = (await walletIn()).body.response
    expect(response).toMatchObject({
      provider: 'circle',
      next_action: 'make_transfer',
      payment_instructions: { type: 'crypto_transfer', network: 'BASE', amount: 450, currency: 'EURC' },
    })
    await t.simulator.settle()
    await becomes(id, 'processing')
    await org.advanceRamp(id)
    await t.simulator.settle()
    await becomes(id, 'completed')
    expect(accepted()).toEqual(['charge 450 EURC', 'payout 450 EUR'])
    expect(await org.balance('provider:circle', 'EURC')).toBe(-450_000_000n)
    expect(await org.balance('provider:circle', 'EUR')).toBe(45_000n)
  })

  it('a payout that is returned after its end goes to manual review', async () => {
    customerPays('450.00')
    const bank_details = { account_number: `${iban.slice(0, -2)}25`, bank_code: 'COBADEFF', bank_name: 'X' }
    const { payment_id: id } = (await walletIn({ bank_details })).body.response
    await t.simulator.settle()
    await becomes(id, 'processing')
    await org.advanceRamp(id)
    await t.simulator.settle()
    await becomes(id, 'completed')
    await t.simulator.settle()
    await vi.waitFor(async () => expect(await exceptionKinds(id)).toEqual(['ramp_reversed']), defaultWaitMs)
    expect((await org.record(id)).status).toBe('completed')
  })

  it('an address at which another ramp waits is not given out: one deposit would pay for both', async () => {
    expect((await walletIn()).status).toBe(200)
    t.simulator.configure('circle', { options: { reuses_addresses: true } })
    expect((await walletIn()).body.code).toBe('ALL_PROVIDERS_FAILED')
  })
})

it('before it sends a webhook, Circle asks whether anybody is there', async () => {
  const { status } = await fetch(`${t.url}/v1/providers/circle/webhooks/any`, { method: 'HEAD' })
  expect(status).toBe(200)
})
