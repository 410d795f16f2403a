import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { advancePayment } from './advance-payment.ts'
import type { PaymentDeps } from '../record.ts'

const input = z.object({ orgId: z.uuid(), paymentId: z.uuid() })

/** Supervises a payment until it ends, also while people review it. */
export const paymentService = (engine: EngineScope, deps: PaymentDeps): EngineService =>
  defineService<{ supervise: z.infer<typeof input> }>(engine, 'Payments', {
    supervise: {
      input,
      run: (context, ids) =>
        context.repeat('advance', async () => (await advancePayment(deps, ids)).nextPollMs),
    },
  })
