import { engineScope } from '../../../src/main/services.ts'
import { z } from 'zod'
import { sanctionsService } from '../../../src/domains/compliance/sanctions/runs/workflow.ts'
import { readConfig } from '../../../src/main/config.ts'
import { createDeps } from '../../../src/main/deps.ts'
import { killAtStep, runCrashingWorker, watchTransactions } from './crashing-worker.ts'

/**
 * The production worker, which kills itself with SIGKILL at the n-th step of the screening of everybody. Steps are
 * before and after each of its transactions. With 0 it never does.
 */
const env = z.object({ CRASH_STEP: z.coerce.number() }).parse(process.env)

const config = readConfig()
const deps = await createDeps(config)
const db = watchTransactions(deps.db, killAtStep(env.CRASH_STEP))
await runCrashingWorker(
  config,
  deps,
  sanctionsService(engineScope(config.ENGINE_NAMESPACE, deps), { ...deps, db }),
)
