import type { Tx } from '../../../../kernel/db/database.ts'
import type { Identifier, ScreeningDeps } from './record.ts'
import { identifierKeysOf, orgKeyOf } from './rules.ts'
import { findBlockedRecord, findHoldingMatch, isAnyBlocked } from './store.ts'

/** Whether a match holds a payment. It is no guard: the database itself refuses to send the payment. */
export const isHeldByMatch = async (
  tx: Tx,
  orgId: string,
  payment: { paymentId: string; beneficiaryId: string | null; leaves: boolean },
): Promise<boolean> => (await findHoldingMatch(tx, orgId, payment)) !== undefined

/** Whether an account belongs to a confirmed match, whatever name it is used under now. */
export const hasBlockedIdentifier = async (
  { db, screeningKey }: Pick<ScreeningDeps, 'db' | 'screeningKey'>,
  orgId: string,
  identifiers: readonly Identifier[],
): Promise<boolean> =>
  db.inOrg(orgId, (tx) =>
    isAnyBlocked(tx, orgId, identifierKeysOf(orgKeyOf(screeningKey, orgId), identifiers)),
  )

/** The same for what was screened before. */
export const isRecordBlocked = async (tx: Tx, orgId: string, subjectId: string): Promise<boolean> =>
  (await findBlockedRecord(tx, orgId, subjectId)) !== undefined
