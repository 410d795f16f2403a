import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { transitions } from '@switchyard/server/domains/payments/lifecycle/rules.ts'
import { auditAcrossOrgs, isClean } from '@switchyard/server/kernel/ledger/audit.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'
import { callChain, type Hex } from '@switchyard/stack/chain/json-rpc.ts'
import type { Program } from '@switchyard/stack/programs.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { firstAdmin, operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'
import type { DeliveryPoint } from './delivery-points.ts'

/** An installation with a chain, an api and a simulator that settles only when it is asked to. */
export type DeliveryInstallation = {
  readonly owner: Pool
  /** Starts a worker; with a crash point, one that kills itself there. */
  startWorker(crashPoint?: DeliveryPoint): Promise<Program>
  /** Starts an on-ramp to the wallet and pays for it; returns its payment id. */
  payFor(wallet: Hex): Promise<string>
  /** The amount of each transfer to the wallet that is on the chain. */
  transfersTo(wallet: Hex): Promise<bigint[]>
  isAuditClean(): Promise<boolean>
  stop(): Promise<void>
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const never = 3_600_000
const crashingWorker = fileURLToPath(new URL('crashing-worker.ts', import.meta.url))

export async function startDeliveryInstallation(): Promise<DeliveryInstallation> {
  const installation = await startInstallation({
    chain: { blockSeconds: 1, settings: { confirmations: 2, bumpAfterMs: 10_000 } },
    simulator: { runsAs: 'in-process', delayMs: never },
    seed: seedCaller,
  })
  const { chain, simulator, seeded: apiKey, apiUrl } = installation
  try {
    await installation.startApi()
  } catch (error) {
    await installation.stop()
    throw error
  }
  return {
    owner: installation.owner,
    async startWorker(crashPoint) {
      // A worker may reach its crash point before it is ready.
      const crashing = { file: crashingWorker, isReadyAwaited: false, isCrashExpected: true }
      const options = crashPoint === undefined ? {} : { ...crashing, env: { CRASH_POINT: crashPoint } }
      return (await installation.startWorker(options)).program
    },
    async payFor(wallet) {
      const paymentId = await startRamp(apiUrl, apiKey, wallet)
      await simulator.functions.settle()
      return paymentId
    },
    transfersTo: (wallet) => transfersTo(chain.rpcUrl, chain.token, wallet),
    isAuditClean: () =>
      installation.withDeps(async ({ db }) =>
        isClean(await db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))),
      ),
    stop: () => installation.stop(),
  }
}

async function seedCaller(deps: Deps, simulatorUrl: string): Promise<string> {
  const people = await seedAll(deps)
  await seedProviders(deps, operatorOf(people), simulatorUrl)
  return firstAdmin(people).apiKey
}

async function transfersTo(rpcUrl: string, token: Hex, wallet: Hex): Promise<bigint[]> {
  const topics = [transferTopic, null, `0x${wallet.slice(2).padStart(64, '0')}`]
  const logs = await callChain<{ data: Hex }[]>(rpcUrl, 'eth_getLogs', [
    { address: token, fromBlock: '0x0', toBlock: 'latest', topics },
  ])
  return logs.map(({ data }) => BigInt(data))
}

async function startRamp(apiUrl: string, apiKey: string, wallet: Hex): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: 'NONE', 'x-api-key': apiKey }
  const rates = `${apiUrl}/v1/organizations/admin/exchange-rate?fromCurrency=UGX&toCurrency=USDC`
  const quote = await answerOf<{ data: { rate: number } }>(await fetch(rates, { headers }))
  const body = JSON.stringify({
    direction: 'on_ramp',
    fiat_currency: 'UGX',
    fiat_amount: 369_550,
    client_rate: quote.data.rate,
    crypto_currency: 'USDC',
    crypto_network: 'BASE',
    country: 'UG',
    wallet_address: wallet,
    mobile_money_details: { provider: 'MTN', phone_number: '256783456789' },
  })
  const response = await fetch(`${apiUrl}/v1/payments-init/ramp`, { method: 'POST', headers, body })
  return (await answerOf<{ response: { payment_id: string } }>(response)).response.payment_id
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  if (!response.ok) throw new Error(`the api answered ${response.status}: ${text}`)
  return JSON.parse(text) as Answer // the API's own tests validate its answers
}
