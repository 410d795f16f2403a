import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../lib/log.ts'

const shutdownLimitMs = 25_000

/**
 * Shuts down gracefully on SIGTERM or SIGINT, with a time limit. An uncaught error is logged before the process
 * exits, because Node would print its message, which may contain personal data.
 */
export function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), shutdownLimitMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
}

/** SIGHUP would end the process; here it has the files of secrets read again at once. */
export function refreshOnHangup(log: Log, refresh: () => Promise<void>): void {
  process.on('SIGHUP', (signal) => {
    refresh().then(
      () => log.info({ signal }, 'the keys were read again'),
      (error: unknown) => log.error({ signal, err: error }, 'the keys could not be read again'),
    )
  })
}

/**
 * A closing server waits for every connection that a client keeps open, even an idle one. After the returned
 * function is called, idle connections are closed at once and the others after their response.
 */
export function drainConnections(server: Server): () => void {
  const open = new Set<Socket>()
  const busy = new Set<Socket>()
  let isDraining = false
  server.on('connection', (socket) => {
    if (isDraining) socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    busy.add(socket)
    response.once('close', () => {
      busy.delete(socket)
      if (isDraining) socket.destroySoon()
    })
  })
  return () => {
    isDraining = true
    for (const socket of open) if (!busy.has(socket)) socket.destroySoon()
  }
}
