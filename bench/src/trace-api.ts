import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { PerformanceObserver } from 'node:perf_hooks'
import pg from 'pg'
import { traceHeader } from './load-options.ts'
import type { ApiTrace, TracedCall } from './trace-options.ts'

/**
 * Imported into the api before its own code, by `--import`. Notes when each numbered request came and went, and when it
 * waited for a connection, for Postgres and for the provider. Writes everything at exit to the file that its address names.
 */
const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const blockFromMs = 10
const tickMs = 5
const trace: ApiTrace = { requests: {}, blocks: [], collections: [] }
const current = new AsyncLocalStorage<TracedCall[]>()
const now = (): number => performance.timeOrigin + performance.now()

const on = (channel: string, listen: (message: Record<string, unknown>) => void): void =>
  subscribe(channel, (message) => listen(message as Record<string, unknown>)) // the messages of a channel are not typed

on('http.server.request.start', ({ request }) => {
  const number = (request as IncomingMessage).headers[traceHeader] // as documented by Node
  if (typeof number !== 'string') return
  const calls: TracedCall[] = []
  trace.requests[number] = { fromMs: now(), toMs: 0, calls }
  current.enterWith(calls)
})
on('http.server.response.finish', ({ request }) => {
  const begun = trace.requests[String((request as IncomingMessage).headers[traceHeader])] // as above
  if (begun) begun.toMs = now()
})

const providerCalls = new WeakMap<object, TracedCall>()
on('undici:request:create', ({ request }) => {
  const calls = current.getStore()
  if (!calls || typeof request !== 'object' || request === null) return
  const call: TracedCall = { kind: 'provider', fromMs: now(), toMs: 0 }
  calls.push(call)
  providerCalls.set(request, call)
})
on('undici:request:trailers', ({ request }) => {
  const call = typeof request === 'object' && request !== null ? providerCalls.get(request) : undefined
  if (call) call.toMs = now()
})

/** Replaces a method by one that sees each call. */
function tap(
  prototype: object,
  name: string,
  see: (self: object, args: unknown[], run: () => unknown) => unknown,
): void {
  const original: unknown = Reflect.get(prototype, name)
  if (typeof original !== 'function') throw new Error(`there is no ${name}`)
  const tapped = function (this: object, ...args: unknown[]): unknown {
    return see(this, args, () => Reflect.apply(original, this, args))
  }
  Reflect.set(prototype, name, tapped)
}

function begin(kind: TracedCall['kind'], client?: object): () => void {
  const call: TracedCall = { kind, fromMs: now(), toMs: 0 }
  const pid: unknown = client && Reflect.get(client, 'processID')
  if (typeof pid === 'number') call.pid = pid
  if (client) call.isApp = Reflect.get(client, 'user') === 'switchyard_app'
  current.getStore()?.push(call)
  return () => {
    call.toMs = now()
  }
}

tap(pg.Pool.prototype, 'connect', (_self, _args, run) => {
  const end = begin('pool')
  const connected = run()
  if (connected instanceof Promise) connected.then(end, end)
  return connected
})

tap(pg.Client.prototype, 'query', (client, [query], run) => {
  const end = begin('postgres', client)
  if (typeof query === 'object' && query !== null) endWithCallback(query, end)
  const result = run()
  if (result instanceof Promise) result.then(end, end)
  return result
})

/** A pipeline calls back; pg promises the results of everything else. */
function endWithCallback(query: object, end: () => void): void {
  const callback: unknown = Reflect.get(query, 'callback')
  if (typeof callback !== 'function') return
  Reflect.set(query, 'callback', (...args: unknown[]): unknown => {
    end()
    return Reflect.apply(callback, query, args)
  })
}

let lastTurnMs = now()
setInterval(() => {
  const turnMs = now()
  if (turnMs - lastTurnMs - tickMs >= blockFromMs)
    trace.blocks.push({ fromMs: lastTurnMs + tickMs, toMs: turnMs })
  lastTurnMs = turnMs
}, tickMs).unref()

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    trace.collections.push({
      fromMs: performance.timeOrigin + startTime,
      toMs: performance.timeOrigin + startTime + duration,
    })
}).observe({ entryTypes: ['gc'] })

process.on('exit', () => writeFileSync(file, JSON.stringify(trace)))
