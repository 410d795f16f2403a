import { readConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { requeueWork } from './services.ts'

/** For an engine that lost its state: puts all open work in Postgres back into the outbox. */
const deps = createDeps(readConfig())
try {
  for (const [kind, requeue] of Object.entries(requeueWork))
    process.stdout.write(`${kind}: ${await requeue(deps)} requeued\n`)
} finally {
  await deps.close()
}
