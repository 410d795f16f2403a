import { join } from 'node:path'
import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { openJournal, readJournal } from './journal.ts'

const acceptanceSchema = z.object({
  sequence: z.number(),
  provider: z.string(),
  account: z.string(),
  kind: z.enum(['charge', 'payout', 'refund']),
  reference: z.string(),
  providerRef: z.string(),
  amount: z.string(),
  currency: z.string(),
  at: z.string(),
})

export type Acceptance = z.infer<typeof acceptanceSchema>

export interface AcceptanceFilter {
  readonly provider?: string | undefined
  readonly reference?: string | undefined
  readonly afterSequence?: number | undefined
}

export interface AcceptanceLog {
  readonly append: (entry: Omit<Acceptance, 'sequence'>) => Acceptance
  readonly read: (filter?: AcceptanceFilter) => Acceptance[]
  /** The number of old entries that were removed from memory. If it is above 0, counts prove nothing. */
  readonly dropped: () => number
  readonly close: () => void
}

export function openAcceptanceLog(stateDir: string | undefined): AcceptanceLog {
  const path = stateDir === undefined ? undefined : join(stateDir, 'acceptances.jsonl')
  const entries: Acceptance[] = []
  let dropped = 0
  if (path !== undefined) {
    for (const line of readJournal(path)) insert(acceptanceSchema.parse(line))
  }
  const journal = path === undefined ? undefined : openJournal(path, 'append')
  let sequence = entries.at(-1)?.sequence ?? 0

  function insert(entry: Acceptance): void {
    entries.push(entry)
    const excess = entries.length - LIMITS.logEntriesKept
    // Removing a tenth at a time keeps appending cheap; one shift per entry would copy the whole array.
    if (excess < LIMITS.logEntriesKept / 10) return
    entries.splice(0, excess)
    dropped += excess
  }

  return {
    append: (entry) => {
      sequence += 1
      const acceptance = { sequence, ...entry }
      journal?.append(acceptance)
      insert(acceptance)
      return acceptance
    },
    read: (filter = {}) =>
      entries.filter(
        (entry) =>
          (filter.provider === undefined || entry.provider === filter.provider) &&
          (filter.reference === undefined || entry.reference === filter.reference) &&
          entry.sequence > (filter.afterSequence ?? 0),
      ),
    dropped: () => dropped,
    close: () => journal?.close(),
  }
}
