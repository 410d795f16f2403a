import type { Tx } from '../../db/database.ts'
import { findNotificationStates } from './store.ts'

/** What became of notices, for those who had them sent. */
export const getNotificationStates = (
  tx: Tx,
  orgId: string,
  notificationIds: readonly string[],
): ReturnType<typeof findNotificationStates> => findNotificationStates(tx, orgId, notificationIds)
