import type { Pool } from 'pg'
import { z } from 'zod'
import type { Deps } from '@switchyard/server/main/deps.ts'
import { startTestReceiver, type TestReceiver } from '@switchyard/server/test/app/test-receiver.ts'
import type { Env } from '@switchyard/stack/programs.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import { startInstallation, type Installation } from '@switchyard/stack/start-installation.ts'
import { createCallOnce } from '../shared/call-once.ts'
import { patient } from '../shared/limits.ts'
import { watchLedger } from '../payments/evidence.ts'
import type { Endpoint } from '../payments/receivers.ts'

type Member = { orgId: string; key: string }

export type UpgradeInstallation = {
  readonly directory: string
  readonly env: Env
  /** The address of all apis, as behind a load balancer. */
  readonly apiUrl: string
  readonly owner: Pool
  readonly simulatorDir: string
  readonly receiver: TestReceiver
  /** One organisation has an endpoint for its events; the other one has none. */
  readonly endpoints: Endpoint[]
  readonly migrationEnv: Env
  readonly unexpectedExits: readonly string[]
  readonly stack: Installation<readonly Member[]>
  /** The caller of a payment: one in ten belongs to the organisation with an endpoint. */
  keyFor(index: number): string
  /** Registers the endpoint; an api has to run. */
  openEndpoint(): Promise<void>
  stop(): Promise<void>
}

const deliveredEvery = 10
const eventTypes = ['payment.completed', 'payment.failed']
const registered = z.object({ data: z.object({ webhook_id: z.string(), secret_key: z.string() }) })

export async function startUpgradeInstallation(
  directory: string,
  providerDelayMs: number,
  env: Env = {},
): Promise<UpgradeInstallation> {
  const stack = await startInstallation({
    directory,
    hasMailbox: true,
    simulator: { runsAs: 'process', delayMs: providerDelayMs },
    isForwarded: true,
    env: { ...patient, LOG_LEVEL: 'warn', DATABASE_POOL_SIZE: '12', ...env },
    seed: seedCallers,
  })
  const receiver = await startTestReceiver()
  await watchLedger(stack.owner)
  const [quiet, listening] = stack.seeded
  if (!quiet || !listening) throw new Error('the seed lacks its organisations')
  const endpoints: Endpoint[] = []
  return {
    directory,
    env: stack.env,
    apiUrl: stack.apiUrl,
    owner: stack.owner,
    simulatorDir: stack.simulator.stateDir,
    receiver,
    endpoints,
    migrationEnv: { ...stack.env, DATABASE_OWNER_URL: stack.ownerUrl },
    unexpectedExits: stack.unexpectedExits,
    stack,
    keyFor: (index) => (index % deliveredEvery === 0 ? listening : quiet).key,
    async openEndpoint() {
      endpoints.push(await registerEndpoint(stack.apiUrl, listening, receiver))
    },
    async stop() {
      await stack.stop()
      await receiver.stop()
    },
  }
}

/** Two organisations and their providers; returns an administrator of each. */
async function seedCallers(deps: Deps, simulatorUrl: string): Promise<readonly Member[]> {
  const people = await seedAll(deps)
  await seedProviders(deps, operatorOf(people), simulatorUrl)
  return people.orgs.map(({ org_id: orgId, members }) => {
    const admin = members.find(({ role }) => role === 'org-admin')
    if (!admin) throw new Error('an organisation has no administrator')
    return { orgId, key: admin.api_key }
  })
}

async function registerEndpoint(
  apiUrl: string,
  { orgId, key }: Member,
  receiver: TestReceiver,
): Promise<Endpoint> {
  const path = `/${orgId}`
  const calls = createCallOnce()
  try {
    const body = JSON.stringify({ endpoint_url: `${receiver.url}${path}`, events: eventTypes })
    const { status, text } = await calls.post('/v1/public/webhooks', { origin: apiUrl, key, body })
    if (status !== 201) throw new Error(`an endpoint was not registered: ${status} ${text}`)
    const { webhook_id: webhookId, secret_key: secret } = registered.parse(JSON.parse(text)).data
    return { path, webhookId, orgId, secret, events: eventTypes }
  } finally {
    await calls.stop()
  }
}
