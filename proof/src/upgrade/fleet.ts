import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { z } from 'zod'
import type { ManagedProcess } from '@switchyard/stack/installation/managed-process.ts'
import type { Env } from '@switchyard/stack/programs.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import type { UpgradeInstallation } from './installation.ts'

/** Two apis and a worker of one release. */
export type Fleet = {
  readonly apis: readonly ManagedProcess[]
  /** The engine's name for this version of the worker. */
  readonly deploymentId: string
  /** Stops the worker and removes it from the engine. */
  retireWorker(): Promise<void>
}

type FleetOptions = {
  name: string
  /** The checkout whose programs run. */
  directory: string
  replaces?: Fleet
  /** For how long the share of a new api grows until it has taken the place of the old one. */
  shiftMs?: number
  /** Settings of this fleet alone. */
  env?: Env
}

const apis = 2
/** As long as a load balancer may still send requests to an instance that it has just taken out. */
const drainMs = 300
/** A new api takes a tenth of its requests at first, then two tenths, and so on: load balancers call it slow start. */
const shares = 10

/** Starts a release; each api takes the place of one of the fleet that it replaces. */
export async function startFleet(installation: UpgradeInstallation, options: FleetOptions): Promise<Fleet> {
  const { stack } = installation
  const { name, directory, replaces, shiftMs = 0, env = {} } = options
  const file = (program: string): string => join(directory, 'proof/src/shared/programs', program)
  const started: ManagedProcess[] = []
  for (let index = 0; index < apis; index += 1) {
    const api = await stack.startApi({ name: `api-${name}-${index}`, file: file('api.ts'), env })
    started.push(api)
    const staying = [...started.slice(0, index), ...(replaces?.apis.slice(index + 1) ?? [])]
    const leaving = replaces?.apis[index]
    if (leaving)
      for (let share = 1; share < shares; share += 1) {
        const each = staying.flatMap((one) => times(shares, one))
        balance(installation, [...each, ...times(share, api), ...times(shares - share, leaving)])
        await delay(shiftMs / shares)
      }
    balance(installation, [...staying, api])
    await delay(drainMs)
    await leaving?.stop()
  }
  if (!replaces) await installation.openEndpoint()
  const port = await freePort()
  const address = `http://${loopback}:${port}`
  const worker = await stack.startWorker({
    name: `worker-${name}`,
    file: file('worker.ts'),
    env: { ...env, WORKER_PORT: String(port), ENGINE_WORKER_URL: address },
  })
  const deploymentId = await findDeployment(installation, address)
  return {
    apis: started,
    deploymentId,
    async retireWorker() {
      await worker.stop()
      await admin(installation, `/deployments/${deploymentId}?force=true`, { method: 'DELETE' })
    },
  }
}

const times = (count: number, api: ManagedProcess): ManagedProcess[] =>
  Array.from({ length: count }, () => api)

/** An api that is named several times gets as many times the requests. */
const balance = ({ stack }: UpgradeInstallation, serving: readonly ManagedProcess[]): void =>
  stack.forwarders.api.retarget(serving.map(({ url }) => Number(new URL(url).port)))

const deployments = z.object({
  deployments: z.array(z.object({ id: z.string(), uri: z.string().optional() })),
})
const counted = z.object({ rows: z.array(z.object({ id: z.string().nullish(), count: z.number() })) })

async function findDeployment(installation: UpgradeInstallation, address: string): Promise<string> {
  const known = deployments.parse(JSON.parse(await admin(installation, '/deployments'))).deployments
  const found = known.find(({ uri }) => uri?.startsWith(address))
  if (!found) throw new Error(`the engine does not know the worker at ${address}`)
  return found.id
}

/** Jobs that have begun and not ended, by the version of the worker that began them. */
export async function countJobs(installation: UpgradeInstallation): Promise<Map<string, number>> {
  const query = `select pinned_deployment_id as id, count(*) as count from sys_invocation where status <> 'completed' group by 1`
  const text = await admin(installation, '/query', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  })
  return new Map(counted.parse(JSON.parse(text)).rows.map(({ id, count }) => [id ?? 'none', count]))
}

async function admin(
  { env }: UpgradeInstallation,
  path: string,
  options: { method?: 'POST' | 'DELETE'; headers?: Record<string, string>; body?: string } = {},
): Promise<string> {
  const response = await request(new URL(path, env['ENGINE_ADMIN_URL']), options)
  const text = await response.body.text()
  if (response.statusCode >= 300) throw new Error(`the engine answered ${response.statusCode} ${text}`)
  return text
}
