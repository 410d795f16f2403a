import { z } from 'zod'
import { defineService, type EngineService } from '../../engine/service.ts'
import type { PaymentDeps } from '../payments/payment-deps.ts'
import { reconcileAll } from './reconcile-all.ts'

const nightly = { attempts: 5, firstDelayMs: 60_000, longestDelayMs: 30 * 60_000 }

export const reconciliationService = (namespace: string, deps: PaymentDeps): EngineService =>
  defineService<{ nightly: object }>(namespace, 'Reconciliation', {
    nightly: {
      input: z.object({}),
      async run(context) {
        await context.step('reconcile', nightly, () => reconcileAll(deps))
      },
    },
  })
