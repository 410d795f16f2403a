import type { Tx } from '../../../../kernel/db/database.ts'
import { enqueue } from '../../../../kernel/engine/outbox.ts'
import { newId } from '../../../../lib/ids.ts'
import { recordSystemAudit } from '../../../records/audit-log/record-audit.ts'
import { listRemoved } from '../../../parties/beneficiaries/reads.ts'
import { listOldPayments } from '../../../payments/erasure/reads.ts'
import type { OldPayment } from '../../../payments/erasure/record.ts'
import { listObstructed } from '../check-obstacles.ts'
import { erasureJob } from '../request-erasure.ts'
import type { PersonRecords } from '../record.ts'
import { insertErasure, selectPendingPayments } from '../store.ts'
import type { RetainedPeople, RetentionDeps } from './record.ts'
import { daysBefore, erasedLimit, pageSize, pagesLimit } from './rules.ts'
import { findMark, upsertMark } from './store.ts'

interface Period {
  kind: RetainedPeople
  days: number
}

/**
 * Has the engine erase the people of an organisation's payments that ended before the period. What is open, disputed or
 * under a legal hold is passed over, and found again the next time. Repeating it from any point is harmless.
 */
export async function eraseOldPeople(
  deps: RetentionDeps,
  orgId: string,
  { kind, days }: Period,
): Promise<number> {
  const before = daysBefore(deps.clock.now(), days)
  const mark = await deps.db.inOrg(orgId, (tx) => findMark(tx, orgId, kind))
  let left = erasedLimit - (mark?.erased ?? 0)
  if (left <= 0) {
    deps.log.error({ orgId, kind, erasedLimit }, 'retention has erased as many records as the keys allow')
    return 0
  }
  let first: OldPayment | undefined
  let after: OldPayment | undefined
  let erased = 0
  for (let page = 0; page < pagesLimit && left > 0; page++) {
    const { rows, due } = await deps.db.inOrg(orgId, async (tx) => {
      const position = { kind, since: mark?.doneBefore, before, after, limit: Math.min(pageSize, left) }
      const found = await listOldPayments(tx, orgId, position)
      const records = await chooseDue(deps, tx, orgId, { kind, rows: found })
      if (records.paymentIds.length > 0) await writeErasure(deps, tx, orgId, { days, ...records })
      return { rows: found, due: records.paymentIds.length }
    })
    first ??= rows[0]
    after = rows.at(-1)
    left -= due
    erased += due
    if (rows.length < pageSize) break
  }
  const doneBefore = first?.createdAt ?? before
  await deps.db.inOrg(orgId, (tx) => upsertMark(tx, orgId, { kind, doneBefore, newlyErased: erased }))
  return erased
}

/** The people without an obstacle to their erasure. The key of a removed beneficiary goes with the payments to it. */
async function chooseDue(
  deps: RetentionDeps,
  tx: Tx,
  orgId: string,
  { kind, rows }: { kind: RetainedPeople; rows: readonly OldPayment[] },
): Promise<PersonRecords> {
  const beneficiaryIds = [...new Set(rows.flatMap((row) => row.beneficiaryId ?? []))]
  const removed = new Set(kind === 'beneficiary' ? await listRemoved(tx, orgId, beneficiaryIds) : [])
  const pending = new Set(await selectPendingPayments(tx, orgId))
  const ended = rows.filter(
    ({ isRecent, paymentId, beneficiaryId }) =>
      !isRecent &&
      !pending.has(paymentId) &&
      (kind === 'payer' || beneficiaryId === null || removed.has(beneficiaryId)),
  )
  const paymentIds = ended.map(({ paymentId }) => paymentId)
  const obstructed = new Set(await listObstructed(deps, tx, orgId, { paymentIds, beneficiaryIds }))
  const due = ended.filter(
    ({ paymentId, beneficiaryId }) =>
      !obstructed.has(paymentId) && (beneficiaryId === null || !obstructed.has(beneficiaryId)),
  )
  return {
    paymentIds: due.map(({ paymentId }) => paymentId),
    beneficiaryIds: [
      ...new Set(due.flatMap(({ beneficiaryId: id }) => (id !== null && removed.has(id) ? [id] : []))),
    ],
  }
}

async function writeErasure(
  deps: RetentionDeps,
  tx: Tx,
  orgId: string,
  { days, paymentIds, beneficiaryIds }: PersonRecords & { days: number },
): Promise<void> {
  const erasureId = newId()
  await insertErasure(tx, orgId, {
    orgId,
    erasureId,
    subject: 'retention',
    paymentIds,
    beneficiaryIds,
    reason: `The retention period of ${days} days has ended.`,
    status: 'pending',
    requestedBy: 'system',
    approvedBy: null,
    refusal: null,
    createdAt: deps.clock.now(),
    endedAt: null,
  })
  await enqueue(tx, orgId, erasureJob({ orgId, erasureId }))
  await recordSystemAudit(tx, orgId, {
    action: 'erasure.request',
    resourceType: 'erasure',
    resourceId: erasureId,
    after: { subject: 'retention', payments: paymentIds.length, beneficiaries: beneficiaryIds.length },
  })
}
