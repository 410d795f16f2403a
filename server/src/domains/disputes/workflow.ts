import { z } from 'zod'
import { defineService, type EngineService, type StepPolicy } from '../../engine/service.ts'
import { advanceDispute } from './advance-dispute.ts'
import { checkAccount } from './check-account.ts'
import { notifyMembers } from './notify-members.ts'
import { queueAccounts } from './queue-accounts.ts'
import type { DisputeDeps } from './record.ts'

const ids = z.object({ orgId: z.uuid(), disputeId: z.uuid() })
const account = z.object({
  ownerId: z.uuid(),
  accountId: z.uuid(),
  provider: z.string(),
  since: z.iso.datetime(),
})

/** The next comparison is hours away, so a provider that does not answer is left to it. */
const listing: StepPolicy = { attempts: 5, firstDelayMs: 60_000, longestDelayMs: 30 * 60_000 }

interface Inputs extends Record<string, unknown> {
  supervise: z.infer<typeof ids>
  remind: z.infer<typeof ids>
  sweep: object
  account: z.infer<typeof account>
}

export const disputeService = (namespace: string, deps: DisputeDeps): EngineService =>
  defineService<Inputs>(namespace, 'Disputes', {
    supervise: {
      input: ids,
      run: (context, input) => context.repeat('advance', (poll) => advanceDispute(deps, { ...input, poll })),
    },
    remind: {
      input: ids,
      run: (context, input) => context.repeat('remind', () => notifyMembers(deps, input)),
    },
    sweep: {
      input: z.object({}),
      async run(context) {
        await context.untilDone('hand out accounts', () => queueAccounts(deps))
      },
    },
    account: {
      input: account,
      async run(context, { since, ...input }) {
        await context.step('compare', listing, () => checkAccount(deps, input, new Date(since)))
      },
    },
  })
