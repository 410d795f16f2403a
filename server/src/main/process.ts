import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../lib/log.ts'

const shutdownLimitMs = 25_000

/**
 * Stops in order on SIGTERM or SIGINT, finishing what is in flight, and gives up after a limit. An error that
 * nobody caught ends the process too, told by the log: Node itself would print its message, which may hold data.
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
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody caught')
    process.exit(1)
  })
}

/**
 * A server that closes waits for every connection that a client keeps open, used or not. After the returned
 * function was called, a connection ends at once when it is idle, and otherwise after its answer.
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
