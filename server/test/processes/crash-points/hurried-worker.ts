import { z } from 'zod'
import { defaultPollSchedule } from '../../../src/domains/payments/attempts/rules.ts'
import type { ConnectorSource } from '../../../src/domains/providers/accounts/load-connector.ts'
import { readConfig } from '../../../src/main/config.ts'
import { createDeps } from '../../../src/main/deps.ts'
import { runWorker } from '../../../src/main/worker.ts'

/** The production worker with deadlines of seconds instead of minutes. */
const env = z
  .object({ SEND_DEADLINE_MS: z.coerce.number(), NOT_FOUND_FINAL_AFTER_MS: z.coerce.number() })
  .parse(process.env)

const impatient = (source: ConnectorSource): ConnectorSource => ({
  ...source,
  async load(orgId, accountId) {
    const connector = await source.load(orgId, accountId)
    return connector && { ...connector, notFoundFinalAfterMs: env.NOT_FOUND_FINAL_AFTER_MS }
  },
})

const config = readConfig()
const pollSchedule = { ...defaultPollSchedule, suspendedMs: 1_000 }
const deps = await createDeps(config, { sendDeadlineMs: env.SEND_DEADLINE_MS, pollSchedule })
await runWorker(config, { ...deps, connectors: impatient(deps.connectors) })
