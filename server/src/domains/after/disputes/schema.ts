import { z } from 'zod'
import { disputeReasons, disputeStates } from '../../../connectors/kit/disputes.ts'
import { wireAmount } from '../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { BookedMove, Dispute, DisputeView, EvidenceRow } from './record.ts'
import { isWithdrawal } from './rules.ts'

export const disputeParams = z.object({ dispute_id: uuid })

export const listDisputesQuery = z.object({
  state: z.enum(disputeStates).optional(),
  due_before: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Only open disputes whose deadline is before it.' }),
  provider: z.string().max(40).optional(),
  payment_id: uuid.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const disputeFields = {
  dispute_id: uuid,
  payment_id: uuid,
  provider: z.string(),
  provider_dispute_id: z.string().meta({ description: 'The id in the provider’s dashboard.' }),
  state: z.enum(disputeStates),
  reason: z.enum(disputeReasons),
  provider_reason: z.string().meta({ description: 'The reason in the words of the provider.' }),
  provider_status: z.string(),
  amount: wireDecimal,
  currency: z.string(),
  withdrawn_amount: wireDecimal.meta({ description: 'What the provider has withdrawn and not returned.' }),
  due_by: dateTime.nullable().meta({ description: 'The provider takes no response after it.' }),
  pending_action: z
    .enum(['submit', 'accept'])
    .nullable()
    .meta({ description: 'A response whose outcome is not known yet. The provider is being asked.' }),
  submitted_at: dateTime.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
  closed_at: dateTime.nullable(),
}

const listedDispute = z.object(disputeFields).meta({ id: 'DisputeSummary' })

const dispute = z
  .object({
    ...disputeFields,
    movements: z.array(
      z.object({
        type: z.enum(['withdrawn', 'returned']),
        amount: wireDecimal,
        currency: z.string(),
        cost: wireDecimal.meta({ description: 'The provider’s charge for it, or what it gave back of it.' }),
        cost_currency: z.string(),
      }),
    ),
    evidence: z.array(
      z.object({
        evidence_id: uuid,
        kind: z.enum(['text', 'file']),
        field: z.string(),
        file_name: z.string().nullable(),
        content_type: z.string().nullable(),
        size_bytes: z.int(),
        user_id: z.string(),
        created_at: dateTime,
      }),
    ),
  })
  .meta({ id: 'Dispute' })

export const disputeResponse = success(dispute)
export const summaryResponse = success(listedDispute)
export const disputePage = success(z.array(listedDispute)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toSummary = (row: Dispute): z.input<typeof listedDispute> => ({
  dispute_id: row.disputeId,
  payment_id: row.paymentId,
  provider: row.provider,
  provider_dispute_id: row.providerRef,
  state: row.state,
  reason: row.reason,
  provider_reason: row.providerReason,
  provider_status: row.providerStatus,
  amount: wireAmount(row.amountMinor, row.currency),
  currency: row.currency,
  withdrawn_amount: wireAmount(row.withdrawnMinor, row.currency),
  due_by: row.dueBy?.toISOString() ?? null,
  pending_action: row.pending?.action ?? null,
  submitted_at: row.submittedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  closed_at: row.closedAt?.toISOString() ?? null,
})

export const toDispute = ({ dispute: row, moves, evidence }: DisputeView): z.input<typeof dispute> => ({
  ...toSummary(row),
  movements: moves.map(toMovement),
  evidence: evidence.map(toEvidence),
})

const toMovement = (move: BookedMove) => ({
  type: isWithdrawal(move.moveNo) ? ('withdrawn' as const) : ('returned' as const),
  amount: wireAmount(move.amountMinor, move.currency),
  currency: move.currency,
  cost: wireAmount(move.costMinor, move.costCurrency),
  cost_currency: move.costCurrency,
})

const toEvidence = (row: EvidenceRow) => ({
  evidence_id: row.evidenceId,
  kind: row.kind,
  field: row.field,
  file_name: row.fileName,
  content_type: row.contentType,
  size_bytes: row.sizeBytes,
  user_id: row.userId,
  created_at: row.createdAt.toISOString(),
})

export const toDisputePage = (page: Page<Dispute>): z.input<typeof disputePage> => ({
  ...ok('Disputes, newest first.', page.items.map(toSummary)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
