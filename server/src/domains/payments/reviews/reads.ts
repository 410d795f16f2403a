import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { type Page, type PageRequest, readPage } from '../../../lib/requests/paging.ts'
import { listNamesIn } from '../../people/organizations/members/reads.ts'
import type { LineageSource } from '../../people/empowerments/record.ts'
import { notIndependent, relationAmong } from '../../people/empowerments/rules.ts'
import type { ReviewTask } from './record.ts'
import { mayDecide } from './rules.ts'
import { countAwaitingAcrossOrgs, selectAwaiting } from './store.ts'

export const listAwaitingReview = (
  deps: { db: Database; cursorKey: KeyRing; lineage: LineageSource },
  caller: Caller,
  input: { page: PageRequest },
): Promise<Page<ReviewTask>> => {
  const { orgId } = caller
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'awaiting-review', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => readTasks(deps, tx, caller, { limit, before })),
    positionOf: ({ payment }) => ({ createdAt: payment.createdAt, id: payment.paymentId }),
  })
}

/** Those of the newest `limit` that the caller may approve or reject. */
export const listReviewable = async (
  deps: { db: Database; lineage: LineageSource },
  caller: Caller,
  limit: number,
): Promise<ReviewTask[]> => {
  if (!caller.permissions.has('payouts:approve')) return []
  const tasks = await deps.db.inOrg(caller.orgId, (tx) =>
    readTasks(deps, tx, caller, { limit, before: undefined }),
  )
  return tasks.filter(({ decisions }) => decisions.includes('approve'))
}

async function readTasks(
  { lineage: source }: { lineage: LineageSource },
  tx: Tx,
  caller: Caller,
  page: Parameters<typeof selectAwaiting>[2],
): Promise<ReviewTask[]> {
  const payments = await selectAwaiting(tx, caller.orgId, page)
  const involved = payments.flatMap(({ userId, reviews }) => [userId, ...reviews.map((one) => one.userId)])
  const names = await listNamesIn(tx, caller.orgId, involved)
  const lineage = await source.readIn(tx, caller.orgId)
  return payments.map((payment) => {
    const reviewers = payment.reviews.map(({ userId }) => userId)
    const relation = relationAmong(lineage, caller.userId, [payment.userId, ...reviewers])
    const dependence = relation && notIndependent(relation, source.days)
    return { payment, names, ...mayDecide(caller, { ...payment, reviewers, dependence }) }
  })
}

/** How many payments of all organisations wait for an approval. */
export const countAwaiting = (deps: { db: Database }): Promise<number> =>
  deps.db.acrossOrgs(countAwaitingAcrossOrgs)
