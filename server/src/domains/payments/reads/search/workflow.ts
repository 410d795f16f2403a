import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../../kernel/engine/service.ts'
import { recordTerms } from './record-terms.ts'
import type { SearchDeps } from './record.ts'

export const searchService = (engine: EngineScope, deps: SearchDeps): EngineService =>
  defineService<{ record: Record<string, never> }>(engine, 'PaymentSearch', {
    record: {
      input: z.strictObject({}),
      async run(context) {
        await context.untilDone('record', () => recordTerms(deps))
      },
    },
  })
