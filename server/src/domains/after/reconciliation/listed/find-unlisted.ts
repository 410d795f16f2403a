import type { Connector } from '../../../../connectors/kit/connector.ts'
import { countCompared } from '../count-compared.ts'
import type { ComparedAccount, Comparison, OwnAttempt, Tally } from '../record.ts'
import { missingThere } from '../rules.ts'
import { selectUnlistedAttemptsAcrossOrgs } from '../store.ts'

const readTogether = 2_000
const shortestSpanMs = 60 * 60_000
const spansLimit = 500

/** Finds the attempts that the provider reported as completed, and does not list. */
export async function findUnlisted(
  { account, connector, inScope }: ComparedAccount,
  comparison: Comparison,
  tally: Tally,
): Promise<void> {
  for (const span of spansOf(comparison)) {
    let after: string | null = null
    do {
      const page = { ...span, after, limit: readTogether }
      const unlisted: OwnAttempt[] = await inScope((tx) =>
        selectUnlistedAttemptsAcrossOrgs(tx, account, comparison, page),
      )
      for (const attempt of unlisted)
        if (lists(connector, attempt.direction)) countCompared(tally, attempt.orgId, missingThere(attempt))
      after = unlisted.length < readTogether ? null : (unlisted.at(-1)?.reference ?? null)
    } while (after !== null)
  }
}

/** The attempts are read by the time of their creation, in spans that a statement gets through. */
function* spansOf({ since, until }: Comparison): Generator<{ from: Date; to: Date }> {
  const spanMs = Math.max(shortestSpanMs, Math.ceil((until.getTime() - since.getTime()) / spansLimit))
  for (let from = since.getTime(); from < until.getTime(); from += spanMs)
    yield { from: new Date(from), to: new Date(Math.min(from + spanMs, until.getTime())) }
}

const lists = ({ listsOnly }: Connector, direction: string): boolean =>
  listsOnly === undefined || (listsOnly === 'payout') === (direction === 'outbound')
