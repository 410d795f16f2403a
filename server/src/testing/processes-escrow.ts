import { join } from 'node:path'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startProgram, type Program } from '@switchyard/stack/programs.ts'
import { paymentEnv } from './processes-payments.ts'
import type { TestPayments } from './test-payments.ts'

const program = join(import.meta.dirname, 'crash-points/crashing-disbursement.ts')

/** Starts workers at one address, one after the other; each kills itself at the given step of a disbursement. */
export async function disbursementWorkers(t: TestPayments): Promise<(crashStep: number) => Promise<Program>> {
  const port = await freePort()
  const env = await paymentEnv(t)
  return (crashStep) =>
    startProgram(program, {
      ...env,
      WORKER_PORT: String(port),
      ENGINE_WORKER_URL: `http://127.0.0.1:${port}`,
      PAYOUT_RETRY_MS: '50',
      CRASH_STEP: String(crashStep),
    })
}
