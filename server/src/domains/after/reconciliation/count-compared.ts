import type { Finding, Tally } from './record.ts'

/** Counts one transaction as compared, and passes its finding on if there is one. */
export function countCompared(tally: Tally, orgId: string, finding: Finding | undefined): void {
  tally.checked.set(orgId, (tally.checked.get(orgId) ?? 0) + 1)
  if (finding) tally.onDifference({ orgId, finding })
}
