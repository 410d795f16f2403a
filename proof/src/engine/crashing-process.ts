import { z } from 'zod'
import { startRelay, type RelayOptions } from '@switchyard/server/kernel/engine/relay.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { runWorker } from '@switchyard/server/main/worker.ts'

/**
 * A worker, or its relay alone, that kills itself with -9 at the named point once SIGUSR2 has armed
 * it. It is separate so that no production program can be made to crash.
 */
const env = z
  .object({
    CRASH_PART: z.enum(['worker', 'relay']),
    CRASH_POINT: z.enum(['claimed', 'handed_over']),
    CRASH_LEASE_SECONDS: z.coerce.number().optional(),
  })
  .parse(process.env)

const config = readConfig()
const deps = await createDeps(config)
let isArmed = false
process.on('SIGUSR2', () => {
  isArmed = true
  process.stdout.write('armed\n')
})
const crash: Pick<RelayOptions, 'crashPoint' | 'leaseSeconds'> = {
  ...(env.CRASH_LEASE_SECONDS !== undefined && { leaseSeconds: env.CRASH_LEASE_SECONDS }),
  crashPoint(point) {
    if (isArmed && point === env.CRASH_POINT) process.kill(process.pid, 'SIGKILL')
  },
}

if (env.CRASH_PART === 'worker') await runWorker(config, deps, crash)
else
  startRelay({
    db: deps.db,
    listenUrl: config.DATABASE_SYSTEM_URL,
    ingress: deps.ingress,
    namespace: config.ENGINE_NAMESPACE,
    log: deps.log,
    ...crash,
  })
process.stdout.write('ready\n')
