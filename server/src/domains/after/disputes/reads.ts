import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Clock } from '../../../lib/clock.ts'
import { noSuchDispute } from './errors.ts'
import { selectEvidence } from './evidence/store.ts'
import type { Dispute, DisputeFilters, DisputeView, ListDeps } from './record.ts'
import {
  findDispute,
  selectDisputes,
  selectDueDisputes,
  selectMoves,
  selectOpenDisputesAcrossOrgs,
  selectOpenDisputesOf,
} from './store.ts'

/** A dispute with its movements of money and its evidence, without the contents. */
export const getDispute = (
  deps: { db: Database },
  { orgId }: Pick<Caller, 'orgId'>,
  { disputeId }: { disputeId: string },
): Promise<DisputeView> =>
  deps.db.inOrg(orgId, async (tx) => {
    const dispute = await findDispute(tx, orgId, disputeId)
    if (!dispute) throw noSuchDispute()
    return {
      dispute,
      moves: await selectMoves(tx, orgId, disputeId),
      evidence: await selectEvidence(tx, orgId, disputeId),
    }
  })

/** Without its parts, for those that change it. */
export async function loadDispute(
  deps: { db: Database },
  { orgId, disputeId }: { orgId: string; disputeId: string },
): Promise<Dispute> {
  const dispute = await deps.db.inOrg(orgId, (tx) => findDispute(tx, orgId, disputeId))
  if (!dispute) throw noSuchDispute()
  return dispute
}

export const listDisputes = (
  deps: ListDeps,
  { orgId }: Caller,
  input: { filters: DisputeFilters; page: PageRequest },
): Promise<Page<Dispute>> =>
  readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'disputes', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectDisputes(tx, orgId, { ...input.filters, limit, before })),
    positionOf: ({ createdAt, disputeId }) => ({ createdAt, id: disputeId }),
  })

const openLimit = 500

/** The open disputes of all organisations at an account, the ones that changed longest ago first. */
export const listOpenDisputes = (
  deps: { db: Database },
  accountId: string,
): Promise<{ orgId: string; disputeId: string; providerRef: string }[]> =>
  deps.db.acrossOrgs((tx) => selectOpenDisputesAcrossOrgs(tx, accountId, openLimit))

const soonMs = 7 * 24 * 60 * 60_000

/** The open disputes whose answer is due within a week, the most urgent first. */
export const listDueDisputes = async (
  deps: { db: Database; clock: Clock },
  { orgId, permissions }: Caller,
  limit: number,
): Promise<Dispute[]> =>
  permissions.has('disputes:write')
    ? deps.db.inOrg(orgId, (tx) =>
        selectDueDisputes(tx, orgId, { before: new Date(deps.clock.now().getTime() + soonMs), limit }),
      )
    : []

/** Those of the payments that are disputed, as the transaction sees it. */
export const listDisputedPayments = async (
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<string[]> =>
  (await selectOpenDisputesOf(tx, orgId, paymentIds)).rows.map(({ paymentId }) => paymentId)
