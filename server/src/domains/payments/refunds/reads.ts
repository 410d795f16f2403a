import type { Database, Tx } from '../../../kernel/db/database.ts'
import { notFound } from '../../../lib/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { type Page, type PageRequest, readPage } from '../../../lib/requests/paging.ts'
import { isUuid } from '../../../lib/ids.ts'
import { listNamesIn } from '../../people/organizations/members/reads.ts'
import type { LineageSource } from '../../people/empowerments/record.ts'
import { notIndependent, relationAmong } from '../../people/empowerments/rules.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { PaymentDeps } from '../record.ts'
import { mayDecide } from '../reviews/rules.ts'
import { waitsNotForApproval } from './errors.ts'
import { isWaitingRefund, type Refund, type RefundFilters, type RefundTask } from './record.ts'
import { toReviewable } from './rules.ts'
import {
  findRefund,
  findRefundByProviderRefAcrossOrgs,
  findRefundByReferenceAcrossOrgs,
  selectRefundPage,
  selectRefundReviews,
  selectRefunds,
} from './store.ts'

/** The refunds of one payment, oldest first. */
export async function listRefunds(
  deps: PaymentDeps,
  caller: Caller,
  input: { paymentId: string },
): Promise<Refund[]> {
  await loadPayment(deps, caller.orgId, input.paymentId)
  return deps.db.inOrg(caller.orgId, (tx) => selectRefunds(tx, caller.orgId, input.paymentId))
}

/** The refunds of all payments, newest first. */
export function listAllRefunds(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { filters: RefundFilters; page: PageRequest },
): Promise<Page<Refund>> {
  const { orgId } = caller
  const { filters } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'refunds', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectRefundPage(tx, orgId, { filters, limit, before })),
    positionOf: ({ createdAt, refundId }) => ({ createdAt, id: refundId }),
  })
}

export const findRefundByReference = async (
  deps: { db: Database },
  reference: string,
): Promise<Refund | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findRefundByReferenceAcrossOrgs(tx, reference)) : undefined

export const findRefundByProviderRef = (
  deps: { db: Database },
  accountId: string,
  providerRef: string,
): Promise<Refund | undefined> =>
  deps.db.acrossOrgs((tx) => findRefundByProviderRefAcrossOrgs(tx, accountId, providerRef))

/** A refund that waits, with those who have reviewed it; refuses any other. */
export const getWaitingRefund = (
  deps: { db: Database },
  { orgId, refundId }: Pick<Refund, 'orgId' | 'refundId'>,
): Promise<{ refund: Refund; reviewers: string[] }> =>
  deps.db.inOrg(orgId, async (tx) => {
    const refund = await findRefund(tx, orgId, refundId)
    if (!refund) throw notFound('The refund')
    if (!isWaitingRefund(refund)) throw waitsNotForApproval(refund.state)
    const reviews = await selectRefundReviews(tx, orgId, [refundId])
    return { refund, reviewers: (reviews.get(refundId) ?? []).map(({ userId }) => userId) }
  })

interface TaskDeps {
  db: Database
  lineage: LineageSource
}

/** The refunds that wait for approval, newest first. */
export const listAwaitingRefunds = (
  deps: TaskDeps & { cursorKey: KeyRing },
  caller: Caller,
  input: { page: PageRequest },
): Promise<Page<RefundTask>> => {
  const { orgId } = caller
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'refunds-awaiting-review', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => readTasks(deps, tx, caller, { limit, before })),
    positionOf: ({ refund }) => ({ createdAt: refund.createdAt, id: refund.refundId }),
  })
}

/** Those of the newest `limit` that the caller may approve. */
export async function listReviewableRefunds(
  deps: TaskDeps,
  caller: Caller,
  limit: number,
): Promise<RefundTask[]> {
  if (!caller.permissions.has('payouts:approve')) return []
  const tasks = await deps.db.inOrg(caller.orgId, (tx) =>
    readTasks(deps, tx, caller, { limit, before: undefined }),
  )
  return tasks.filter(({ decisions }) => decisions.includes('approve'))
}

async function readTasks(
  { lineage: source }: TaskDeps,
  tx: Tx,
  caller: Caller,
  page: Omit<Parameters<typeof selectRefundPage>[2], 'filters'>,
): Promise<RefundTask[]> {
  const { orgId } = caller
  const refunds = await selectRefundPage(tx, orgId, { ...page, filters: awaitingApproval })
  const reviews = await selectRefundReviews(
    tx,
    orgId,
    refunds.map(({ refundId }) => refundId),
  )
  const reviewsOf = ({ refundId }: Refund) => reviews.get(refundId) ?? []
  const involved = refunds.flatMap((refund) => [
    refund.userId,
    ...reviewsOf(refund).map(({ userId }) => userId),
  ])
  const names = await listNamesIn(tx, orgId, involved)
  const lineage = await source.readIn(tx, orgId)
  return refunds.map((refund) => {
    const reviewers = reviewsOf(refund).map(({ userId }) => userId)
    const relation = relationAmong(lineage, caller.userId, [refund.userId, ...reviewers])
    const dependence = relation && notIndependent(relation, source.days)
    const decidable = mayDecide(caller, toReviewable(refund, { reviewers, dependence }))
    return { refund, reviews: reviewsOf(refund), names, ...decidable }
  })
}

const awaitingApproval: RefundFilters = {
  status: 'awaiting_approval',
  origin: undefined,
  provider: undefined,
  currency: undefined,
  paymentId: undefined,
  from: undefined,
  to: undefined,
}
