import { z } from 'zod'
import { standardError } from '../lib/requests/wire.ts'
import type { App } from './app.ts'

/** One probe per dependency, by name. A probe resolves when the dependency responds. */
export type Probes = Readonly<Record<string, () => Promise<void>>>

const probeTimeoutMs = 2_000

const state = z.enum(['ok', 'down'])
const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  dependencies: z.record(z.string(), state),
})

export async function checkReadiness(probes: Probes): Promise<z.infer<typeof readiness>> {
  const states = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => [name, await isAvailable(probe)] as const),
  )
  const dependencies = Object.fromEntries(
    states.map(([name, isUp]) => [name, isUp ? ('ok' as const) : ('down' as const)]),
  )
  return { status: states.every(([, isUp]) => isUp) ? 'ready' : 'not_ready', dependencies }
}

function isAvailable(probe: () => Promise<void>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, probeTimeoutMs, false)
  const probed = probe().then(
    () => true,
    () => false,
  )
  return Promise.race([probed, timeout]).finally(() => clearTimeout(timer))
}

export function registerHealth(app: App, probes: Probes): void {
  app.get(
    '/healthz',
    {
      config: { access: { permission: 'public' } },
      schema: {
        tags: ['Health'],
        operationId: 'health.live',
        description:
          'For the liveness check of an orchestrator. It touches no dependency, so a database that is down does not make it fail.',
        summary: 'Report that the process is running',
        security: [],
        response: { 200: z.object({ status: z.literal('ok') }), 400: standardError },
      },
    },
    () => ({ status: 'ok' as const }),
  )
  app.get(
    '/readyz',
    {
      config: { access: { permission: 'public' } },
      schema: {
        tags: ['Health'],
        operationId: 'health.ready',
        description:
          'For the readiness check of a load balancer: 503 as soon as a dependency cannot be reached, with the state of each.',
        summary: 'Report whether each dependency is available',
        security: [],
        response: { 200: readiness, 400: standardError, 503: readiness },
      },
    },
    async (_request, reply) => {
      const result = await checkReadiness(probes)
      return reply.status(result.status === 'ready' ? 200 : 503).send(result)
    },
  )
}
