import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import { createLocalSigner } from '@switchyard/server/wallet/signer.ts'
import { auditAcrossOrgs, isClean } from '@switchyard/server/ledger/audit.ts'
import { transitions } from '@switchyard/server/domains/payments/rules.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps, type Deps } from '@switchyard/server/main/deps.ts'
import {
  baseEnv,
  mainFile,
  migratedDatabase,
  startProgram,
  type Env,
  type Program,
} from '@switchyard/stack/programs.ts'
import { deployDemoToken } from '@switchyard/stack/chain/demo-token.ts'
import { callChain, type Hex } from '@switchyard/stack/chain/json-rpc.ts'
import { chainEnv } from '@switchyard/stack/chain/start-chain.ts'
import { operatorOf, seedAll, type SeedResult } from '@switchyard/stack/seeds/seed.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { anvilSeedPhrase, startAnvil } from '@switchyard/stack/services/anvil.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { startPostgres, type Postgres } from '@switchyard/stack/services/postgres.ts'
import { startRestate, type Restate } from '@switchyard/stack/services/restate.ts'
import type { SettlementPoint } from './points.ts'

/** Everything that a ramp passes through, each a process of its own but for the simulator. */
export type World = {
  readonly owner: Pool
  startWorker(crashPoint?: SettlementPoint): Promise<Program>
  /** Starts an on-ramp to the wallet and pays for it; gives its payment id. */
  payFor(wallet: Hex): Promise<string>
  /** The ground truth: how often tokens came to the wallet, and how many in all. */
  transfersTo(wallet: Hex): Promise<bigint[]>
  isAuditClean(): Promise<boolean>
  stop(): Promise<void>
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const never = 3_600_000
const crashingWorker = fileURLToPath(new URL('crashing-worker.ts', import.meta.url))

export async function startWorld(dataDir: string): Promise<World> {
  const [services, anvil] = await Promise.all([
    startServices(dataDir, never),
    startAnvil({ dataDir: join(dataDir, 'chain'), port: await freePort(), blockSeconds: 1 }),
  ])
  const { postgres, restate, simulator } = services
  const token = await deployDemoToken(anvil.rpcUrl)
  await token.mint(createLocalSigner(anvilSeedPhrase).address, 10n ** 15n)
  const { ownerUrl, ...urls } = await migratedDatabase(postgres.url)
  const ports = { api: await freePort(), worker: await freePort(), metrics: await freePort() }
  const apiUrl = `http://${loopback}:${ports.api}`
  const env: Env = {
    ...envOf(services, { dataDir, apiUrl, workerPort: ports.worker }),
    ...urls,
    ...chainEnv({ rpcUrl: anvil.rpcUrl, token: token.address }, { confirmations: 2, bumpAfterMs: 10_000 }),
    METRICS_PORT: String(ports.metrics),
  }
  const deps = createDeps(readConfig(env))
  const apiKey = await seedCaller(deps, simulator.url)
  const api = await startApi(env, ports.api)
  const owner = new Pool({ connectionString: ownerUrl })
  owner.on('error', () => undefined)
  return {
    owner,
    startWorker: (crashPoint) => startWorker(env, ports.metrics, crashPoint),
    async payFor(wallet) {
      const paymentId = await startRamp(apiUrl, apiKey, wallet)
      await simulator.settle()
      return paymentId
    },
    transfersTo: (wallet) => transfersTo(anvil.rpcUrl, token.address, wallet),
    isAuditClean: async () => isClean(await deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))),
    async stop() {
      await owner.end()
      await deps.close()
      await api.stop()
      await Promise.all([restate.stop(), simulator.stop(), anvil.stop()])
      await postgres.stop()
    },
  }
}

export type Services = { postgres: Postgres; restate: Restate; simulator: Simulator }

export async function startServices(dataDir: string, delayMs: number): Promise<Services> {
  const [postgres, restate, simulator] = await Promise.all([
    startPostgres({ dataDir: join(dataDir, 'postgres'), port: await freePort() }),
    startRestate({
      dataDir: join(dataDir, 'restate'),
      ingressPort: await freePort(),
      adminPort: await freePort(),
      nodePort: await freePort(),
    }),
    startSimulator({ delayMs }),
  ])
  return { postgres, restate, simulator }
}

/** Of api and worker; what is left is the database, and a port for the metrics of each. */
export const envOf = (
  { restate, simulator }: Services,
  at: { dataDir: string; apiUrl: string; workerPort: number },
): Env => ({
  ...baseEnv,
  NODE_COMPILE_CACHE: join(at.dataDir, 'compile-cache'),
  PUBLIC_URL: at.apiUrl,
  RATE_FEED_URL: `${simulator.url}/rates`,
  ENGINE_INGRESS_URL: restate.ingressUrl,
  ENGINE_ADMIN_URL: restate.adminUrl,
  ENGINE_IDENTITY_KEYS: restate.identityKey,
  ENGINE_WORKER_URL: `http://${loopback}:${at.workerPort}`,
  WORKER_PORT: String(at.workerPort),
})

async function startApi(env: Env, port: number): Promise<Program> {
  const own = { API_PORT: String(port), METRICS_PORT: String(await freePort()) }
  const api = await startProgram(mainFile('api'), { ...env, ...own })
  await api.untilReady(`${env['PUBLIC_URL']}/readyz`)
  return api
}

/** One that dies at its point may do so before it says that it is ready. */
async function startWorker(
  env: Env,
  metricsPort: number,
  crashPoint: SettlementPoint | undefined,
): Promise<Program> {
  if (crashPoint !== undefined) return startProgram(crashingWorker, { ...env, CRASH_POINT: crashPoint })
  const program = await startProgram(mainFile('worker'), env)
  await program.untilReady(`http://${loopback}:${metricsPort}/readyz`)
  return program
}

async function transfersTo(rpcUrl: string, token: Hex, wallet: Hex): Promise<bigint[]> {
  const topics = [transferTopic, null, `0x${wallet.slice(2).padStart(64, '0')}`]
  const logs = await callChain<{ data: Hex }[]>(rpcUrl, 'eth_getLogs', [
    { address: token, fromBlock: '0x0', toBlock: 'latest', topics },
  ])
  return logs.map(({ data }) => BigInt(data))
}

async function seedCaller(deps: Deps, simulatorUrl: string): Promise<string> {
  const people = await seedAll(deps)
  await seedProviders(deps, operatorOf(people), simulatorUrl)
  return adminKeyOf(people)
}

export function adminKeyOf({ orgs }: SeedResult): string {
  const admin = orgs[0]?.members.find(({ role }) => role === 'org-admin')
  if (!admin) throw new Error('the seed has no administrator')
  return admin.api_key
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
  return JSON.parse(text) as Answer // the API's own tests hold its answers against their schemas
}
