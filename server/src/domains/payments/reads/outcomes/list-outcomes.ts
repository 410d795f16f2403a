import type { Tx } from '../../../../kernel/db/database.ts'
import type { Status } from '../../lifecycle/rules.ts'
import type { PaymentOutcome } from './record.ts'
import { countByStatus, selectOutcomes } from './store.ts'

/** The outcomes of those payments that exist, by id, as the caller's transaction sees them. */
export const listOutcomes = async (
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<Map<string, PaymentOutcome>> =>
  paymentIds.length === 0 ? new Map() : selectOutcomes(tx, orgId, paymentIds)

/** How many of the payments are in each status. */
export const countOutcomes = async (
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<Map<Status, number>> =>
  paymentIds.length === 0 ? new Map() : countByStatus(tx, orgId, paymentIds)
