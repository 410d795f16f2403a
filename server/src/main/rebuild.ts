import { foldBalances } from '../domains/pricing/balances/fold-balances.ts'
import { readConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { startProcess } from './process-start.ts'
import { requeueWork } from './services.ts'

/** For an engine that lost its state, or a restored database: requeues all open work and folds the balances. */
const deps = await createDeps(await startProcess(async () => readConfig()))
try {
  for (const [kind, requeue] of Object.entries(requeueWork))
    process.stdout.write(`${kind}: ${await requeue(deps)} requeued\n`)
  process.stdout.write(`balances: ${await foldBalances(deps)} folded\n`)
} finally {
  await deps.close()
}
