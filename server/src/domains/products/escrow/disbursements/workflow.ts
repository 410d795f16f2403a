import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../../kernel/engine/service.ts'
import type { PayOutDeps } from '../../virtual-accounts/transactions/pay-out.ts'
import { advanceDisbursement, type AdvanceDeps } from './advance-disbursement.ts'
import { listDueParties, payLater, payShare } from './pay-share.ts'

const input = z.object({ orgId: z.uuid(), milestoneId: z.uuid() })

/**
 * Pays every due share, then evaluates the results. A payout that ends later queues this service again, so it sleeps
 * only until the next retry.
 */
export const disbursementService = (engine: EngineScope, deps: PayOutDeps & AdvanceDeps): EngineService =>
  defineService<{ disburse: z.infer<typeof input> }>(engine, 'Disbursements', {
    disburse: {
      input,
      async run(context, ids) {
        for (;;) {
          const partyIds = await context.untilDone('list due parties', () => listDueParties(deps, ids))
          const paid: string[] = []
          for (const partyId of partyIds)
            paid.push(await context.untilDone(`pay ${partyId}`, () => payShare(deps, { ...ids, partyId })))
          if (paid.includes('held_back')) return context.untilDone('pay later', () => payLater(deps, ids))
          const retryInMs = await context.untilDone(
            'settle',
            async () => (await advanceDisbursement(deps, ids)) ?? null,
          )
          if (retryInMs === null) return
          await context.sleep(retryInMs)
        }
      },
    },
  })
