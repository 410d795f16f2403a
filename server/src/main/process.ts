import type { Log } from '../lib/log.ts'

const shutdownLimitMs = 25_000

/** Stops in order on SIGTERM or SIGINT, finishing what is in flight, and gives up after a limit. */
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
}
