import type { Tx } from '../../../../kernel/db/database.ts'
import { clearPeople, selectRetained } from './store.ts'

/**
 * Those of the payments and beneficiaries whose people must be kept: nobody has decided about a match yet, or it was
 * confirmed less than the retention of screening ago.
 */
export const listRetainedSubjects = (
  tx: Tx,
  orgId: string,
  retained: { subjectIds: readonly string[]; days: number },
): Promise<string[]> => selectRetained(tx, orgId, retained)

/** The keyed hashes stay: what was confirmed still blocks the accounts of a person whose name is gone. */
export const eraseMatchedPeople = (tx: Tx, orgId: string, subjectIds: readonly string[]): Promise<void> =>
  clearPeople(tx, orgId, subjectIds)
