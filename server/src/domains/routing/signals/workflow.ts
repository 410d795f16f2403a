import { z } from 'zod'
import type { Database } from '../../../kernel/db/database.ts'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import type { Clock } from '../../../lib/clock.ts'
import { purgeHistory } from './purge-history.ts'

const purging = { attempts: 5, firstDelayMs: 1_000, longestDelayMs: 30_000 }

export const routingSignalService = (
  engine: EngineScope,
  deps: { db: Database; clock: Clock },
): EngineService =>
  defineService<{ purge: object }>(engine, 'RoutingSignals', {
    purge: {
      input: z.object({}),
      async run(context) {
        await context.step('purge', purging, () => purgeHistory(deps))
      },
    },
  })
