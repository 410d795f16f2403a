import { z } from 'zod'
import type { Database } from '../../../kernel/db/database.ts'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { foldBalances, nextFoldAfterMs } from './fold-balances.ts'

export const balanceService = (engine: EngineScope, deps: { db: Database }): EngineService =>
  defineService<{ fold: Record<string, never> }>(engine, 'Balances', {
    fold: {
      input: z.strictObject({}),
      async run(context) {
        await context.repeat('fold', async (round) => nextFoldAfterMs(await foldBalances(deps), round))
      },
    },
  })
