import type { CompiledQuery } from 'kysely'
import { statements } from '../../../kernel/db/database.ts'
import type { Resolution } from './record.ts'

export const insertResolution = (orgId: string, resolution: Resolution): CompiledQuery =>
  statements
    .insertInto('resolutions')
    .values({
      org_id: orgId,
      resolution_id: resolution.resolutionId,
      payment_id: resolution.paymentId,
      attempt_no: resolution.attemptNo,
      leg_no: resolution.legNo,
      refund_id: resolution.refundId,
      outcome: resolution.outcome,
      evidence: resolution.evidence,
      provider_reference: resolution.providerReference,
      proposed_by: resolution.proposedBy,
      approved_by: resolution.approvedBy,
      created_at: resolution.createdAt,
    })
    .compile()
