import { z } from 'zod'
import type { Database } from '../../../kernel/db/database.ts'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { foldDeltas } from './fold-deltas.ts'

export const analyticsService = (engine: EngineScope, deps: { db: Database }): EngineService =>
  defineService<{ fold: Record<string, never> }>(engine, 'Analytics', {
    fold: {
      input: z.strictObject({}),
      async run(context) {
        await context.untilDone('fold', () => foldDeltas(deps))
      },
    },
  })
