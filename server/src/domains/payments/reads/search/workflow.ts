import { z } from 'zod'
import { defineService, type EngineService } from '../../../../kernel/engine/service.ts'
import { recordTerms } from './record-terms.ts'
import type { SearchDeps } from './record.ts'

export const searchService = (namespace: string, deps: SearchDeps): EngineService =>
  defineService<{ record: Record<string, never> }>(namespace, 'PaymentSearch', {
    record: {
      input: z.strictObject({}),
      async run(context) {
        await context.untilDone('record', () => recordTerms(deps))
      },
    },
  })
