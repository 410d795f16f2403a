import { countCompared } from '../count-compared.ts'
import type { ComparedAccount, Comparison, OwnAttempt, Tally } from '../record.ts'
import { compare, isJustEnded } from '../rules.ts'
import { selectAttemptsByReferenceAcrossOrgs } from '../store.ts'
import { selectListedAttempts } from './store.ts'

const readTogether = 5_000
const firstReference = '00000000-0000-0000-0000-000000000000'

/** Compares each attempt with all that the provider lists of it. Returns how many recorded transactions it has seen. */
export async function compareListed(
  { account, inScope }: ComparedAccount,
  { comparisonId, until }: Comparison,
  tally: Tally,
): Promise<number> {
  let seen = 0
  let after: string | undefined = firstReference
  while (after !== undefined) {
    const page = { comparisonId, after, limit: readTogether }
    const { listed, attempts } = await inScope(async (tx) => {
      const found = await selectListedAttempts(tx, account.ownerId, page)
      const doubtful = found.flatMap(({ reference, parts }) => (parts === null ? [] : [reference]))
      const own = await selectAttemptsByReferenceAcrossOrgs(tx, account.accountId, doubtful)
      return { listed: found, attempts: new Map(own.map((attempt) => [attempt.reference, attempt])) }
    })
    for (const { reference, orgId, recorded, compared, parts } of listed) {
      seen += recorded
      if (compared === 0) continue
      if (parts === null) countCompared(tally, orgId, undefined)
      else compareParts(parts, attempts.get(reference), { until, tally })
    }
    after = listed.at(-1)?.reference
  }
  return seen
}

function compareParts(
  parts: Parameters<typeof compare>[0],
  attempt: OwnAttempt | undefined,
  { until, tally }: { until: Date; tally: Tally },
): void {
  if (attempt && !isJustEnded(attempt, until)) countCompared(tally, attempt.orgId, compare(parts, attempt))
}
