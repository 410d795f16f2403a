import { readConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { requeueWork } from './services.ts'

/** After the engine lost its memory: every open piece of work in Postgres goes into the outbox again. */
const deps = createDeps(readConfig())
try {
  for (const [kind, reopen] of Object.entries(requeueWork))
    process.stdout.write(`${kind}: ${await reopen(deps)} reopened\n`)
} finally {
  await deps.close()
}
