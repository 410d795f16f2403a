import { join } from 'node:path'
import { Pool } from 'pg'
import { Pool as HttpPool } from 'undici'
import { z } from 'zod'
import {
  baseEnv,
  mainFile,
  migratedDatabase,
  startApi,
  startProgram,
  type Env,
  type Program,
} from '@switchyard/stack/programs.ts'
import { seed } from '@switchyard/stack/seeds/seed.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { startPostgres } from '@switchyard/stack/services/postgres.ts'
import { startRestate, type Restate } from '@switchyard/stack/services/restate.ts'

/** Postgres, Restate and one api, each a process; workers are started and ended by whoever uses it. */
export type World = {
  readonly restate: Restate
  readonly owner: Pool
  readonly env: Env
  startWorker(): Promise<Program>
  register(endpointUrl: string): Promise<string>
  /** One event to every endpoint; gives its id. */
  notify(): Promise<string>
  stop(): Promise<void>
}

const registered = z.object({ data: z.object({ webhook_id: z.string() }) })
const notified = z.object({ data: z.object({ event_id: z.string() }) })
const apiConnections = 16

export async function startWorld(dataDir: string): Promise<World> {
  const [postgres, restate] = await Promise.all([
    startPostgres({ dataDir: join(dataDir, 'postgres'), port: await freePort() }),
    startRestate({
      dataDir: join(dataDir, 'restate'),
      identityKeyFile: join(dataDir, 'identity-key.pem'),
      ingressPort: await freePort(),
      adminPort: await freePort(),
      nodePort: await freePort(),
    }),
  ])
  const { ownerUrl, ...urls } = await migratedDatabase(postgres.url)
  const [workerPort, metricsPort] = [await freePort(), await freePort()]
  const env = {
    ...baseEnv,
    ...urls,
    ENGINE_INGRESS_URL: restate.ingressUrl,
    ENGINE_ADMIN_URL: restate.adminUrl,
    ENGINE_IDENTITY_KEYS: restate.identityKey,
    ENGINE_WORKER_URL: `http://${loopback}:${workerPort}`,
    WORKER_PORT: String(workerPort),
    METRICS_PORT: String(metricsPort),
  }
  const caller = await seedCaller(env)
  const api = await startApi(env)
  const http = new HttpPool(api.url, { connections: apiConnections })
  const owner = new Pool({ connectionString: ownerUrl })
  owner.on('error', () => undefined)
  const post = (path: string, body: object): Promise<unknown> => postJson(http, caller.apiKey, { path, body })
  return {
    restate,
    owner,
    env,
    async startWorker() {
      const program = await startProgram(mainFile('worker'), env)
      await program.untilReady(`http://${loopback}:${metricsPort}/readyz`)
      return program
    },
    register: async (endpoint_url) =>
      registered.parse(await post('/v1/public/webhooks', { endpoint_url })).data.webhook_id,
    notify: async () =>
      notified.parse(await post('/v1/public/webhooks/notify', notification(caller.orgId))).data.event_id,
    async stop() {
      await owner.end()
      await http.destroy()
      await api.program.stop()
      await Promise.all([restate.stop(), postgres.stop()])
    },
  }
}

const notification = (orgId: string): object => ({
  org_id: orgId,
  transaction_data: {
    transaction_id: 'T-1',
    status: 'completed',
    amount: 1500.5,
    currency: 'NGN',
    updated_at: '2026-11-01T10:00:00Z',
  },
})

async function seedCaller(env: Env): Promise<{ orgId: string; apiKey: string }> {
  const [org] = (await seed(env)).orgs
  const admin = org?.members.find(({ role }) => role === 'org-admin')
  if (!org || !admin) throw new Error('the seed has no administrator')
  return { orgId: org.org_id, apiKey: admin.api_key }
}

async function postJson(
  http: HttpPool,
  apiKey: string,
  { path, body }: { path: string; body: object },
): Promise<unknown> {
  const response = await http.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'NONE', 'x-api-key': apiKey },
    body: JSON.stringify(body),
  })
  const text = await response.body.text()
  if (response.statusCode >= 300) throw new Error(`the api answered ${response.statusCode}: ${text}`)
  return JSON.parse(text)
}
