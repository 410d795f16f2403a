import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import { getNotificationStates } from '../../people/notifications/reads.ts'
import type { ListedRequest } from './record.ts'
import { selectRequests } from './store.ts'

/** Never includes the answers. */
export function listRequests(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { paymentId: string | undefined; page: PageRequest },
): Promise<Page<ListedRequest>> {
  const { orgId } = caller
  const { paymentId } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'verification-requests', filters: { paymentId } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, async (tx) => {
        const requests = await selectRequests(tx, orgId, { paymentId, limit, before })
        const ids = requests.map(({ notificationId }) => notificationId)
        const states = await getNotificationStates(tx, orgId, ids)
        return requests.map(({ answerSealed: _answer, ...request }) => ({
          ...request,
          mailStatus: states.get(request.notificationId)?.status ?? 'pending',
        }))
      }),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.requestId }),
  })
}
