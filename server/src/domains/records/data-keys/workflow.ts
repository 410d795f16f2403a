import { z } from 'zod'
import type { Database } from '../../../kernel/db/database.ts'
import { keyLifetimeMs, type Vault } from '../../../kernel/db/vault.ts'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { resealData } from './reseal-data.ts'
import { rewrapDataKeys, type RewrapDeps } from './rewrap-data-keys.ts'

const input = z.object({ orgId: z.uuid() })

const attempts = { attempts: 5, firstDelayMs: 1_000, longestDelayMs: 10_000 }

/** Runs two passes, because other processes seal under the old key until their cache expires. */
export const dataKeyService = (
  engine: EngineScope,
  deps: { db: Database; vault: Vault } & RewrapDeps,
): EngineService =>
  defineService<{ reseal: z.infer<typeof input>; rewrap: object }>(engine, 'DataKeys', {
    reseal: {
      input,
      async run(context, { orgId }) {
        await context.untilDone('first pass', () => resealData(deps, orgId))
        await context.sleep(2 * keyLifetimeMs)
        await context.untilDone('second pass', () => resealData(deps, orgId))
      },
    },
    rewrap: {
      input: z.object({}),
      async run(context) {
        await context.step('rewrap', attempts, () => rewrapDataKeys(deps))
      },
    },
  })
