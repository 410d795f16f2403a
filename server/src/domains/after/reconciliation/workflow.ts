import { z } from 'zod'
import {
  defineService,
  isFinal,
  type EngineScope,
  type EngineService,
  type StepPolicy,
} from '../../../kernel/engine/service.ts'
import { checkDisputes } from './check-disputes.ts'
import { settlingMs, type InStep } from './compare-account.ts'
import { findDifferences } from './find-differences.ts'
import { queueAccounts } from './queue-accounts.ts'
import { queueDisputes } from './queue-disputes.ts'
import { raiseDifferences } from './raise-differences.ts'
import { recordRun, type RunOutcome } from './record-run.ts'
import type { ReconciliationDeps } from './record.ts'
import { reportFailure } from './report-failure.ts'
import { reviewOlder } from './review-older.ts'

const account = z.object({
  ownerId: z.uuid(),
  accountId: z.uuid(),
  provider: z.string(),
  since: z.iso.datetime(),
})
const reviewedAccount = account.omit({ since: true })
const nightlyAccount = account.extend({ runId: z.uuid(), startedAt: z.iso.datetime() })

interface Pace {
  listing: StepPolicy
  /** Time between the two comparisons; only a difference found by both is raised. */
  pauseMs: number
  /** How many pieces of older payments are reviewed in a night: a piece is a day, or fifty payments. */
  reviews: number
}

const nightly: Pace = {
  listing: { attempts: 5, firstDelayMs: 60_000, longestDelayMs: 30 * 60_000 },
  pauseMs: settlingMs,
  reviews: 200,
}

interface Inputs extends Record<string, unknown> {
  nightly: object
  account: z.infer<typeof nightlyAccount>
  disputes: object
  disputesOf: z.infer<typeof account>
  review: z.infer<typeof reviewedAccount>
}

export const reconciliationService = (
  engine: EngineScope,
  deps: ReconciliationDeps,
  pace = nightly,
): EngineService =>
  defineService<Inputs>(engine, 'Reconciliation', {
    nightly: {
      input: z.object({}),
      async run(context) {
        await context.untilDone('hand out accounts', () => queueAccounts(deps))
      },
    },
    disputes: {
      input: z.object({}),
      async run(context) {
        await context.untilDone('hand out accounts', () => queueDisputes(deps))
      },
    },
    disputesOf: {
      input: account,
      // The next comparison is hours away, so a provider that does not answer is left to it.
      async run(context, input) {
        await context.step('compare', pace.listing, () => checkDisputes(deps, input, new Date(input.since)))
      },
    },
    review: {
      input: reviewedAccount,
      async run(context, input) {
        for (let piece = 0; piece < pace.reviews; piece++) {
          const left = await context.step(`review ${piece}`, pace.listing, () => reviewOlder(deps, input))
          if (left === 'done') return
        }
      },
    },
    account: {
      input: nightlyAccount,
      async run(context, input) {
        const since = new Date(input.since)
        const stepsOf =
          (pass: string): InStep =>
          (name, work) =>
            context.step(`${pass} comparison: ${name}`, pace.listing, work)
        const record = (outcome: RunOutcome): Promise<void> =>
          context.untilDone('record', () => recordRun(deps, input, outcome))
        try {
          const found = await findDifferences(deps, input, { since, inStep: stepsOf('first') })
          if (found === null) return
          const { checked, differences } = found
          if (differences.length === 0) return await record({ status: 'completed', checked, findings: 0 })
          await context.sleep(pace.pauseMs)
          const again = { since, differences, inStep: stepsOf('second') }
          const findings = await raiseDifferences(deps, input, again)
          await record({ status: 'completed', checked, findings })
        } catch (error) {
          if (!isFinal(error)) throw error
          await context.untilDone('report', () => reportFailure(deps, input))
          await record({ status: 'failed', checked: null, findings: null })
        }
      },
    },
  })
