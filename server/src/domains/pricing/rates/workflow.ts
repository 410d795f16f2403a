import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { refreshRates } from './refresh-rates.ts'

const refreshing = { attempts: 5, firstDelayMs: 1_000, longestDelayMs: 30_000 }

/** One refresh per call; the worker's schedule starts it. */
export const rateService = (engine: EngineScope, deps: Parameters<typeof refreshRates>[0]): EngineService =>
  defineService<{ refresh: object }>(engine, 'Rates', {
    refresh: {
      input: z.object({}),
      async run(context) {
        await context.step('refresh', refreshing, () => refreshRates(deps))
      },
    },
  })
