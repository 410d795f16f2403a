import { runStatements } from '../../../kernel/db/database.ts'
import { assertCovered } from '../../../kernel/ledger/available.ts'
import { account, insertTransfers, posted } from '../../../kernel/ledger/transfers.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier } from '../../people/change-requests/record.ts'
import { closeExceptionIn, lockOpenException } from '../../people/exceptions/close-exception.ts'
import { asNotCovered } from './errors.ts'
import type { AdjustmentDeps } from './record.ts'
import { approverOf } from './request-adjustment.ts'
import { fromProposal, proposal } from './schema.ts'
import { insertAdjustment } from './store.ts'

/** Posts a correction that two people agreed on, in the transaction of the approval. */
export const adjustmentApplier = (deps: Pick<AdjustmentDeps, 'clock'>): ChangeApplier => ({
  async apply(tx, approver, { orgId, requestId, requestedBy, payload }) {
    const { exceptionId, ...adjustment } = fromProposal(proposal.parse(payload))
    const { debit, credit, currency, amountMinor, reason } = adjustment
    await approverOf(tx, orgId, adjustment)
    await runStatements(tx, [
      insertAdjustment(orgId, {
        ...adjustment,
        adjustmentId: requestId,
        proposedBy: requestedBy,
        approvedBy: approver.userId,
        createdAt: deps.clock.now(),
      }),
      insertTransfers(orgId, [
        posted({ causeId: requestId, kind: 'adjustment', debit, credit, currency, amountMinor }),
      ]),
      ...(debit === account.available('pooled') ? [assertCovered(orgId, { account: debit, currency })] : []),
    ]).catch((error: unknown) => {
      throw asNotCovered(error, adjustment)
    })
    if (exceptionId !== null) {
      const owner = { ...approver, orgId }
      await lockOpenException(tx, owner, { exceptionId, withInstallation: false })
      await closeExceptionIn(tx, owner, orgId, { exceptionId, resolution: `Adjusted the ledger: ${reason}` })
    }
    await recordAudit(tx, approver, orgId, {
      action: 'ledger.adjust',
      resourceType: 'ledger-adjustment',
      resourceId: requestId,
      after: { debit, credit, currency, amount_minor: amountMinor.toString(), proposed_by: requestedBy },
    })
  },
})
