import { request } from 'undici'
import type { Database } from '../kernel/db/database.ts'
import { connectTcp } from '../lib/net/connect-tcp.ts'
import type { Log } from '../lib/log.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'

interface Dependency {
  /** As in `/readyz`. */
  name: string
  title: string
  /** Host and port, never a user or a password. */
  address: string
  everyMs: number
  probe: () => Promise<void>
}

const nearbyEveryMs = 1_000
/** The mail server and the identity provider belong to others, so they are asked less often. */
const foreignEveryMs = 10_000
const probeTimeoutMs = 1_500
const stepTimeoutMs = 700

const defaultPorts: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'smtp:': 587,
  'smtps:': 465,
  'http:': 80,
  'https:': 443,
}

/** Logs each time a dependency becomes unreachable and each time it can be reached again. */
export function watchDependencies(log: Log, dependencies: readonly Dependency[]): { stop(): void } {
  const watches = dependencies.map((dependency) => watch(log, dependency))
  return { stop: () => watches.forEach((stop) => stop()) }
}

function watch(log: Log, { name, title, address, everyMs, probe }: Dependency): () => void {
  let isDown = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const check = async (): Promise<void> => {
    const reason = await within(probeTimeoutMs, probe()).then(() => undefined, reasonOf)
    if (isStopped) return
    const fields = { dependency: name, address }
    if (reason !== undefined && !isDown)
      log.error(fields, `${title} at ${address} cannot be reached (${reason})`)
    if (reason === undefined && isDown) log.warn(fields, `${title} at ${address} can be reached again`)
    isDown = reason !== undefined
    timer = setTimeout(run, isDown ? Math.min(everyMs, nearbyEveryMs) : everyMs)
  }
  const run = (): void => {
    check().catch(() => undefined)
  }
  run()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

type ProbeDeps = Pick<Deps, 'db' | 'probes'>

export const apiDependencies = (config: Config, deps: ProbeDeps): Dependency[] => [
  ...shared(config, deps),
  {
    name: 'identity',
    title: 'the identity provider',
    address: addressOf(config.JWT_JWKS_URL),
    everyMs: foreignEveryMs,
    probe: () => fetchOk(config.JWT_JWKS_URL),
  },
]

export const workerDependencies = (config: Config, deps: ProbeDeps): Dependency[] => [
  ...shared(config, deps),
  {
    name: 'smtp',
    title: 'the mail server',
    address: addressOf(config.SMTP_URL),
    everyMs: foreignEveryMs,
    probe: () => connectTcp(endpointOf(config.SMTP_URL), stepTimeoutMs),
  },
]

const shared = (config: Config, { db, probes }: ProbeDeps): Dependency[] => [
  {
    name: 'postgres',
    title: 'Postgres',
    address: addressOf(config.DATABASE_APP_URL),
    everyMs: nearbyEveryMs,
    probe: () => probePostgres(db, config.DATABASE_APP_URL),
  },
  {
    name: 'engine',
    title: 'the engine',
    address: addressOf(config.ENGINE_INGRESS_URL),
    everyMs: nearbyEveryMs,
    probe: () => probes['engine']?.() ?? Promise.resolve(),
  },
]

/** A query that waits for a free connection proves nothing about Postgres, so the port is probed then. */
async function probePostgres(db: Database, url: string): Promise<void> {
  try {
    await within(stepTimeoutMs, db.ping())
  } catch (error) {
    const endpoint = endpointOf(url)
    if (endpoint.hostname !== '') await connectTcp(endpoint, stepTimeoutMs)
    if (db.pools().app.waiting === 0) throw error
  }
}

async function fetchOk(url: string): Promise<void> {
  const response = await request(url, { signal: AbortSignal.timeout(stepTimeoutMs) })
  await response.body.dump()
  if (response.statusCode >= 400)
    throw Object.assign(new Error('refused'), { code: `status ${response.statusCode}` })
}

export function endpointOf(url: string): { hostname: string; port: number } {
  const { hostname, port, protocol } = new URL(url)
  return { hostname, port: port === '' ? (defaultPorts[protocol] ?? 0) : Number(port) }
}

export function addressOf(url: string): string {
  const { hostname, port } = endpointOf(url)
  return hostname === '' ? 'the local socket' : `${hostname}:${port}`
}

/** The code of the first error in the chain that has one. Messages are not shown, because they may quote data. */
export function reasonOf(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code: unknown = 'code' in current ? current.code : undefined
    if (typeof code === 'string' && code !== 'SERVICE_UNAVAILABLE' && code !== '') return code
    const [first]: unknown[] = current instanceof AggregateError ? current.errors : []
    if (first !== undefined) return reasonOf(first)
  }
  return 'no answer'
}

function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), limitMs)
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
