import type { Tx } from '../../../kernel/db/database.ts'
import { findNotificationStates } from './store.ts'

/** The delivery states of notices, for the domains that queued them. */
export const getNotificationStates = (
  tx: Tx,
  orgId: string,
  notificationIds: readonly string[],
): ReturnType<typeof findNotificationStates> => findNotificationStates(tx, orgId, notificationIds)
