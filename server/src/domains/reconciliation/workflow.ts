import { z } from 'zod'
import { defineService, isFinal, type EngineService, type StepPolicy } from '../../engine/service.ts'
import type { PaymentDeps } from '../payments/payment-deps.ts'
import { handOutAccounts, reconcileAccount, reportUnread } from './reconcile-nightly.ts'

const account = z.object({ ownerId: z.uuid(), provider: z.string(), since: z.iso.datetime() })

const listing: StepPolicy = { attempts: 5, firstDelayMs: 60_000, longestDelayMs: 30 * 60_000 }

export const reconciliationService = (
  namespace: string,
  deps: PaymentDeps,
  policy = listing,
): EngineService =>
  defineService<{ nightly: object; account: z.infer<typeof account> }>(namespace, 'Reconciliation', {
    nightly: {
      input: z.object({}),
      async run(context) {
        await context.untilDone('hand out accounts', () => handOutAccounts(deps))
      },
    },
    account: {
      input: account,
      async run(context, { since, ...of }) {
        try {
          await context.step('reconcile', policy, () => reconcileAccount(deps, of, new Date(since)))
        } catch (error) {
          if (!isFinal(error)) throw error
          await context.untilDone('report', () => reportUnread(deps, of))
        }
      },
    },
  })
