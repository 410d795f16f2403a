import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createEndpointHandler } from '@restatedev/restate-sdk'
import { request } from 'undici'
import type { Log } from '../lib/log.ts'
import type { EngineService } from './service.ts'

export interface WorkerOptions {
  services: EngineService[]
  /** Public keys of the engines that may call; empty accepts anybody and is for tests of the wire only. */
  identityKeys: string[]
  host: string
  port: number
  log: Log
}

export interface Worker {
  port: number
  stop(): Promise<void>
}

/** The HTTP/2 endpoint that the engine calls. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const handler = createEndpointHandler({
    services: options.services,
    ...(options.identityKeys.length > 0 && { identityKeys: options.identityKeys }),
    logger: (meta, message) => {
      if (meta.level === 'error' || meta.level === 'warn')
        options.log.warn({ invocationId: meta.context?.invocationId, err: message }, 'the engine reports')
    },
  })
  const server = createServer(handler)
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', () => undefined)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener has this kind of address
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const session of sessions) session.close()
      }),
  }
}

/** Tells the engine where the worker is. A changed worker is a new deployment; running work stays on the old one. */
export async function registerWorker(
  adminUrl: string,
  workerUrl: string,
  options: { replace: boolean },
): Promise<void> {
  const response = await request(new URL('/deployments', adminUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: workerUrl, force: options.replace }),
  })
  const body = await response.body.text()
  if (response.statusCode >= 300)
    throw new Error(`the engine refused the worker: ${response.statusCode} ${body}`)
}
