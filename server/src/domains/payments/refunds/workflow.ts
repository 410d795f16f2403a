import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import type { PaymentDeps } from '../record.ts'
import { advanceRefund } from './advance-refund.ts'

const input = z.object({ orgId: z.uuid(), refundId: z.uuid() })

/** Supervises a refund until it ends, also while people review it. */
export const refundService = (engine: EngineScope, deps: PaymentDeps): EngineService =>
  defineService<{ supervise: z.infer<typeof input> }>(engine, 'Refunds', {
    supervise: {
      input,
      run: (context, ids) => context.repeat('advance', (poll) => advanceRefund(deps, { ...ids, poll })),
    },
  })
