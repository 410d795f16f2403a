import { z } from 'zod'
import { createAgent, createHttpClient } from '../../../src/connectors/kit/http-client.ts'
import { runApi } from '../../../src/main/api.ts'
import { readConfig } from '../../../src/main/config.ts'
import { createDeps } from '../../../src/main/deps.ts'
import { watchCalls, watchCommits, type Pass } from './crashing-parts.ts'
import { crashPoints } from './points.ts'

/**
 * The production api, which kills itself with SIGKILL (or stops itself with SIGSTOP) at the named point of its first
 * payment. It is a program of its own so that no production program has a switch to crash.
 */
const env = z
  .object({
    CRASH_POINT: z.enum(crashPoints),
    CRASH_SIGNAL: z.enum(['SIGKILL', 'SIGSTOP']).default('SIGKILL'),
    SEND_DEADLINE_MS: z.coerce.number(),
  })
  .parse(process.env)

let hasPassed = false
const pass: Pass = (point) => {
  if (point !== env.CRASH_POINT || hasPassed) return
  hasPassed = true
  process.kill(process.pid, env.CRASH_SIGNAL)
}

const config = readConfig()
const deps = await createDeps(config, {
  http: watchCalls(createHttpClient(createAgent()), pass),
  sendDeadlineMs: env.SEND_DEADLINE_MS,
})
await runApi(config, { ...deps, db: watchCommits(deps.db, pass) })
