import { z } from 'zod'
import type { Database } from '../../../kernel/db/database.ts'
import { defineService, type EngineService } from '../../../kernel/engine/service.ts'
import { foldDeltas } from './fold-deltas.ts'

export const analyticsService = (namespace: string, deps: { db: Database }): EngineService =>
  defineService<{ fold: Record<string, never> }>(namespace, 'Analytics', {
    fold: {
      input: z.strictObject({}),
      async run(context) {
        await context.untilDone('fold', () => foldDeltas(deps))
      },
    },
  })
