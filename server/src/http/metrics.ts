import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { checkReadiness, type Probes } from './health.ts'

export interface HttpMetrics {
  registry: Registry
  started(request: FastifyRequest): void
  finished(request: FastifyRequest, reply: FastifyReply): void
}

type PoolStates = Record<string, Record<string, number>>

export function createMetrics(pools: () => PoolStates): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'switchyard_http_request_duration_seconds',
    help: 'Response time by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [registry],
  })
  const inFlight = new Gauge({
    name: 'switchyard_http_requests_in_flight',
    help: 'Requests in progress',
    registers: [registry],
  })
  registry.registerMetric(
    new Gauge({
      name: 'switchyard_database_connections',
      help: 'Database connections by pool and state',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [pool, states] of Object.entries(pools()))
          for (const [connectionState, connections] of Object.entries(states))
            this.set({ pool, state: connectionState }, connections)
      },
    }),
  )
  return {
    registry,
    started: () => inFlight.inc(),
    finished(request, reply) {
      inFlight.dec()
      const labels = {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
      }
      durations.observe(labels, reply.elapsedTime / 1000)
    },
  }
}

interface MetricsListener {
  port: number
  close(): Promise<void>
}

/** Serves metrics and readiness on a separate listener, so that the public port never exposes them. */
export async function serveMetrics(
  registry: Registry,
  probes: Probes,
  address: { host: string; port: number },
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.url === '/metrics') {
        response.setHeader('content-type', registry.contentType)
        response.end(await registry.metrics())
      } else if (request.url === '/readyz') {
        const result = await checkReadiness(probes)
        response.writeHead(result.status === 'ready' ? 200 : 503, { 'content-type': 'application/json' })
        response.end(JSON.stringify(result))
      } else response.writeHead(404).end()
    }
    answer().catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener has this kind of address
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
