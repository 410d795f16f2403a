import { join } from 'node:path'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startProgram, type Env, type Program } from '@switchyard/stack/programs.ts'
import { paymentEnv } from './processes-payments.ts'
import type { TestPayments } from '../worlds/test-payments.ts'

type CrashingWorker = 'crashing-disbursement' | 'crashing-retention' | 'crashing-screening'

/** Starts workers at one address, one after the other; each kills itself at the given step of its work. */
export async function crashingWorkers(
  t: TestPayments,
  name: CrashingWorker,
  changes: Env = {},
): Promise<(crashStep: number) => Promise<Program>> {
  const port = await freePort()
  const env = await paymentEnv(t)
  return (crashStep) =>
    startProgram(join(import.meta.dirname, `crash-points/${name}.ts`), {
      ...env,
      ...changes,
      WORKER_PORT: String(port),
      ENGINE_WORKER_URL: `http://127.0.0.1:${port}`,
      CRASH_STEP: String(crashStep),
    })
}
