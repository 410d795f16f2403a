import { z } from 'zod'
import { defineService, type EngineService } from '../../../engine/service.ts'
import type { PaymentDeps } from '../payment-deps.ts'
import { advanceRefund } from './advance-refund.ts'

const input = z.object({ orgId: z.uuid(), refundId: z.uuid() })

/** Looks after an open refund until it ends or a person has been told. */
export const refundService = (namespace: string, deps: PaymentDeps): EngineService =>
  defineService<{ supervise: z.infer<typeof input> }>(namespace, 'Refunds', {
    supervise: {
      input,
      run: (context, ids) => context.repeat('advance', (look) => advanceRefund(deps, { ...ids, look })),
    },
  })
