import { join } from 'node:path'
import { deployDemoToken, type DemoToken } from '@switchyard/stack/chain/demo-token.ts'
import { callChain, type Hex } from '@switchyard/stack/chain/json-rpc.ts'
import { chainEnv } from '@switchyard/stack/chain/start-chain.ts'
import { anvilSeedPhrase, startAnvil, type Anvil } from '@switchyard/stack/services/anvil.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { createConfig } from '../../src/domains/providers/configs/create-config.ts'
import { fromNewConfig } from '../../src/domains/providers/configs/schema.ts'
import { advanceRamp, type RampProgress } from '../../src/domains/products/ramps/advance-ramp.ts'
import { createLocalSigner } from '../../src/domains/products/ramps/wallet/sign-transfer.ts'
import type { CallAnswer, Json, TestAppOptions } from '../app/test-app.ts'
import {
  openPayments,
  operatorOf,
  startTestPayments,
  untilSettled,
  type OrgPayments,
  type TestPayments,
} from './test-payments.ts'
import { until } from '../app/test-relay.ts'
import { useStarted } from '../app/use-started.ts'

export const confirmations = 3

export interface TestChain extends Anvil {
  token: DemoToken
  /** Our wallet's account. */
  wallet: Hex
  /** A customer's account, whose transactions the node signs. */
  customer: Hex
  env: Record<string, string>
  mine(blocks: number): Promise<void>
  call<Result>(method: string, ...params: unknown[]): Promise<Result>
}

export async function startTestChain(facts: object = {}): Promise<TestChain> {
  const scratch = await scratchDir()
  const anvil = await startAnvil({ dataDir: join(scratch.path, 'chain'), port: await freePort() })
  const { rpcUrl } = anvil
  const call: TestChain['call'] = (method, ...params) => callChain(rpcUrl, method, params)
  const token = await deployDemoToken(rpcUrl)
  const accounts = await call<Hex[]>('eth_accounts')
  return {
    ...anvil,
    token,
    wallet: createLocalSigner(anvilSeedPhrase).address,
    customer: accounts[5] ?? '0x',
    env: chainEnv({ rpcUrl, token: token.address }, { confirmations, bumpAfterMs: 1_000, ...facts }),
    call,
    async mine(blocks) {
      await call('anvil_mine', `0x${blocks.toString(16)}`)
    },
    async stop() {
      await anvil.stop()
      await scratch.remove()
    },
  }
}

interface TestRamps extends TestPayments {
  chain: TestChain
}

interface TestRampsOptions extends TestAppOptions {
  chain?: object
}

/** `startTestRamps` for the tests of a file. */
export const useRamps = (options: TestRampsOptions = {}): TestRamps =>
  useStarted(
    () => startTestRamps(options),
    (ramps) => ramps.close(),
  )

/** The API with the simulator behind its providers and a chain of its own behind its wallet. */
async function startTestRamps(options: TestRampsOptions = {}): Promise<TestRamps> {
  const chain = await startTestChain(options.chain)
  await chain.token.mint(chain.wallet, 1_000_000_000_000n)
  await chain.token.mint(chain.customer, 1_000_000_000_000n)
  const t = await startTestPayments({
    delayMs: untilSettled,
    ...options,
    env: { ...chain.env, ...options.env },
  })
  return {
    ...t,
    chain,
    async close() {
      await t.close()
      await chain.stop()
    },
  }
}

export interface OrgRamps extends OrgPayments {
  ramp(body: Json): Promise<CallAnswer>
  /** The live rate, as a client fetches it. */
  rate(from: string, to: string): Promise<number>
  configure(provider: 'hybrid' | 'yellowcard' | 'circle', country: string): Promise<void>
  advanceRamp(paymentId: string): Promise<RampProgress>
  /** Polls until the condition holds, as the engine would. */
  advanceUntil(paymentId: string, condition: (record: Json) => boolean): Promise<Json>
  legs(paymentId: string): Promise<Json[]>
  /** Sum of debits and credits of an account, per currency. */
  balance(account: string, currency: string): Promise<bigint>
}

const pollsLimit = 60

export async function openRamps(t: TestRamps): Promise<OrgRamps> {
  const org = await openPayments(t)
  const poll = (paymentId: string) => advanceRamp(t.deps, { orgId: org.orgId, paymentId })
  return {
    ...org,
    ramp: (body) => org.call('POST', '/v1/payments-init/ramp', body),
    async rate(from, to) {
      const path = `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`
      return (await org.call('GET', path)).body.data.rate
    },
    async configure(provider, country) {
      const corridor = { provider, country, payment_method: 'crypto', direction: 'external' } as const
      // An organisation can only prefer what the operator allows.
      const known = await t.deps.corridors.list(org.orgId, fromNewConfig(corridor))
      if (!known.some((config) => config.provider === provider))
        await createConfig(t.deps, operatorOf(t), { orgId: null, config: fromNewConfig(corridor) })
      const config = fromNewConfig({ ...corridor, priority: 0 })
      await createConfig(t.deps, operatorOf(t), { orgId: org.orgId, config })
    },
    advanceRamp: poll,
    async advanceUntil(paymentId, condition) {
      for (let count = 0; count < pollsLimit; count++) {
        const record = await org.record(paymentId)
        if (condition(record)) return record
        await poll(paymentId)
        await t.chain.mine(1)
      }
      throw new Error(`the ramp did not get there: ${JSON.stringify(await org.record(paymentId))}`)
    },
    async legs(paymentId) {
      const { rows } = await t.owner.query(
        `select kind, provider, state, reference, outcome_code as code from ramp_legs
         where org_id = $1 and payment_id = $2 order by leg_no`,
        [org.orgId, paymentId],
      )
      return rows
    },
    async balance(account, currency) {
      const { rows } = await t.owner.query<{ sum: string }>(
        `select coalesce(sum(case when credit = $2 then amount_minor else -amount_minor end), 0)::text as sum
         from ledger_transfers,
              regexp_replace(debit_account, '^(provider:[^:]+):.*', '\\1') as debit,
              regexp_replace(credit_account, '^(provider:[^:]+):.*', '\\1') as credit
         where org_id = $1 and currency = $3 and $2 in (debit, credit)`,
        [org.orgId, account, currency],
      )
      return BigInt(rows[0]?.sum ?? '0')
    },
  }
}

/** In Uganda the fiat side is pawapay's mobile money. */
export const onRampBody = (change: object = {}): Json => ({
  fiat_currency: 'UGX',
  fiat_amount: 369_550,
  crypto_currency: 'USDC',
  crypto_network: 'BASE',
  country: 'UG',
  direction: 'on_ramp',
  mobile_money_details: { provider: 'MTN', phone_number: '256783456789' },
  ...change,
})

export const offRampBody = (beneficiaryId: string, change: object = {}): Json => ({
  fiat_currency: 'UGX',
  fiat_amount: 369_550,
  crypto_currency: 'USDC',
  crypto_network: 'BASE',
  country: 'UG',
  beneficiary_id: beneficiaryId,
  ...change,
})

/** A ramp that one provider carries out alone, without our wallet. */
export async function wholeRampBody(org: OrgPayments): Promise<Json> {
  const rates = '/v1/organizations/admin/exchange-rate?fromCurrency=NGN&toCurrency=USDC'
  return {
    fiat_currency: 'NGN',
    fiat_amount: 153_025,
    client_rate: (await org.call('GET', rates)).body.data.rate,
    crypto_currency: 'USDC',
    crypto_network: 'BASE',
    country: 'NG',
    wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  }
}

export async function completeWholeRamp(t: TestPayments, org: OrgPayments): Promise<string> {
  const answer = await org.call('POST', '/v1/payments-init/ramp', await wholeRampBody(org))
  const paymentId = answer.body.response.payment_id
  await until('the ramp to complete', async () => {
    await t.simulator.settle({ all: true })
    return (await org.record(paymentId)).status === 'completed'
  })
  return paymentId
}
