import { z } from 'zod'
import type { Tx } from '../../../kernel/db/database.ts'
import { enqueue } from '../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, MaybeHeld } from '../../people/change-requests/record.ts'
import { assertErasable } from './check-obstacles.ts'
import { cannotErase } from './errors.ts'
import { findRecords } from './find-records.ts'
import {
  erasureSubjects,
  type Erasure,
  type ErasureDeps,
  type ErasureIds,
  type ErasureOrder,
} from './record.ts'
import { insertErasure } from './store.ts'

export const erasureJob = ({ orgId, erasureId }: ErasureIds) => ({
  service: 'Privacy',
  handler: 'erase',
  payload: { orgId, erasureId },
})

/**
 * Finds what is stored about the person, and has the engine erase it. It cannot be undone, so it waits for a second
 * person where changes do. A person about whom nothing is stored is erased already.
 */
export async function requestErasure(
  deps: ErasureDeps,
  caller: Caller,
  order: ErasureOrder,
): Promise<MaybeHeld<Erasure>> {
  const { orgId } = caller
  if (!(await deps.vault.canErase())) throw cannotErase()
  const records = await findRecords(deps, orgId, order)
  return deps.db.inOrg(orgId, async (tx) => {
    await assertErasable(deps, tx, orgId, records)
    const { subject, reason } = order
    const hasRecords = records.paymentIds.length + records.beneficiaryIds.length > 0
    const held = hasRecords
      ? await deps.changeControl.hold(tx, caller, {
          orgId,
          kind: 'person.erase',
          payload: {
            subject,
            reason,
            payment_ids: records.paymentIds,
            beneficiary_ids: records.beneficiaryIds,
          },
          summary: `Erase a person: ${records.paymentIds.length} payments, ${records.beneficiaryIds.length} beneficiaries.`,
        })
      : undefined
    if (held) return { held }
    const by = { requestedBy: caller.userId, approvedBy: null }
    return { done: await writeErasure(deps, tx, caller, { subject, reason, ...records, ...by }) }
  })
}

type NewErasure = Pick<
  Erasure,
  'subject' | 'reason' | 'paymentIds' | 'beneficiaryIds' | 'requestedBy' | 'approvedBy'
>

async function writeErasure(
  deps: Pick<ErasureDeps, 'clock'>,
  tx: Tx,
  caller: Caller,
  erasure: NewErasure,
): Promise<Erasure> {
  const { orgId } = caller
  const now = deps.clock.now()
  const isDone = erasure.paymentIds.length + erasure.beneficiaryIds.length === 0
  const written: Erasure = {
    ...erasure,
    orgId,
    erasureId: newId(),
    status: isDone ? 'done' : 'pending',
    refusal: null,
    createdAt: now,
    endedAt: isDone ? now : null,
  }
  await insertErasure(tx, orgId, written)
  if (!isDone) await enqueue(tx, orgId, erasureJob(written))
  await recordAudit(tx, caller, orgId, {
    action: 'erasure.request',
    resourceType: 'erasure',
    resourceId: written.erasureId,
    after: {
      subject: erasure.subject,
      payments: erasure.paymentIds.length,
      beneficiaries: erasure.beneficiaryIds.length,
    },
  })
  return written
}

const requested = z.object({
  subject: z.enum(erasureSubjects),
  reason: z.string(),
  payment_ids: z.array(z.uuid()),
  beneficiary_ids: z.array(z.uuid()),
})

export const erasureApplier = (deps: Pick<ErasureDeps, 'clock' | 'retention'>): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload, requestedBy }) {
    const { payment_ids: paymentIds, beneficiary_ids: beneficiaryIds, ...rest } = requested.parse(payload)
    const records = { paymentIds, beneficiaryIds }
    await assertErasable(deps, tx, orgId, records)
    const by = { requestedBy, approvedBy: approver.userId }
    await writeErasure(deps, tx, { ...approver, orgId }, { ...rest, ...records, ...by })
  },
})
