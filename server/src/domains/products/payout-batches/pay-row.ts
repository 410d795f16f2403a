import { isRowNotPending, isUniqueViolation } from '../../../kernel/db/errors.ts'
import { AppError } from '../../../lib/errors.ts'
import { exactAmount } from '../../../lib/money/decimal-input.ts'
import { callerOf } from '../escrow/disbursements/restore-caller.ts'
import { isHeldBack } from '../../compliance/suspensions/errors.ts'
import type { DraftDeps } from '../../payments/initiation/draft-payment.ts'
import { ownBeneficiary } from '../../payments/initiation/draft-payment.ts'
import { draftPayout } from '../../payments/initiation/draft-payout.ts'
import { initiatePayment, type InitiationDeps } from '../../payments/initiation/initiate-payment.ts'
import { beneficiaryChanged } from './errors.ts'
import type { Batch, BatchRow } from './record.ts'
import { pausesBatch } from './rules.ts'
import { beginRow, failRow } from './store.ts'

export type PayRowDeps = InitiationDeps & DraftDeps

/**
 * Starts the payment of one row. It is safe to repeat: the payment's id was stored with the row, and the row becomes
 * `sent` in the transaction that writes the payment. Returns the refusal that pauses the batch, if there is one.
 */
export async function payRow(deps: PayRowDeps, batch: Batch, row: BatchRow): Promise<AppError | undefined> {
  try {
    await startPayment(deps, batch, row)
    return undefined
  } catch (error) {
    // Another process has sent the row, or the batch was paused or canceled.
    if (isRowNotPending(error) || isUniqueViolation(error, 'payments_pkey')) return undefined
    // The payment exists and has failed; its own record shows that.
    if (error instanceof AppError && error.code === 'ALL_PROVIDERS_FAILED') return undefined
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (pausesBatch(error.code) || isHeldBack(error)) return error
    const failure = { code: error.code, message: error.message }
    await deps.db.batchInOrg(batch.orgId, [
      failRow(batch.orgId, batch.batchId, { rowNo: row.rowNo, failure, at: deps.clock.now() }),
    ])
    return undefined
  }
}

async function startPayment(deps: PayRowDeps, batch: Batch, row: BatchRow): Promise<void> {
  const { orgId, batchId } = batch
  const { rowNo, amount } = row
  const caller = callerOf(orgId, batch.orderedBy)
  const beneficiary = await ownBeneficiary(deps, orgId, row.beneficiaryId)
  // Whoever approved the batch approved the accounts as they were then.
  if (beneficiary.updatedAt.getTime() !== row.beneficiaryUpdatedAt.getTime()) throw beneficiaryChanged()
  const draft = await draftPayout(deps, caller, beneficiary, {
    amount: exactAmount(amount),
    description: row.description,
    reference: row.clientReference,
    metadata: { batch_id: batchId, batch_row: rowNo },
  })
  await initiatePayment(deps, caller, {
    ...draft,
    paymentId: row.paymentId,
    isApproved: batch.decidedBy !== null,
    claim: (paymentId) => beginRow(orgId, batchId, { rowNo, paymentId, at: deps.clock.now() }),
  })
}
