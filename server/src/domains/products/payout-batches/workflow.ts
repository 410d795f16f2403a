import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { advanceBatch } from './advance-batch.ts'
import type { PayRowDeps } from './pay-row.ts'

const input = z.object({ orgId: z.uuid(), batchId: z.uuid() })

/** Sends a batch round by round. A round that a crash has cut short is repeated with the rows that are still pending. */
export const payoutBatchService = (engine: EngineScope, deps: PayRowDeps): EngineService =>
  defineService<{ send: z.infer<typeof input> }>(engine, 'PayoutBatches', {
    send: {
      input,
      run: (context, ids) => context.repeat('send rows', () => advanceBatch(deps, ids)),
    },
  })
