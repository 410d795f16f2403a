import type { Custody } from '../../../../kernel/ledger/available.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { InexactNumber } from '../../../../lib/text/json.ts'
import { getBeneficiary } from '../../../parties/beneficiaries/reads.ts'
import { noSuchBeneficiary } from '../../../payments/errors.ts'
import type { DraftDeps, InitiationDraft } from '../../../payments/initiation/draft-payment.ts'
import { draftPayout } from '../../../payments/initiation/draft-payout.ts'
import { initiatePayment, type InitiationDeps } from '../../../payments/initiation/initiate-payment.ts'
import type { Payment } from '../../../payments/record.ts'
import { asRefusal, otherCurrency } from './errors.ts'

export type PayOutDeps = InitiationDeps & DraftDeps

export interface PayOut {
  beneficiaryId: string
  amount: number | InexactNumber
  description: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
  /** Set by callers that may retry: a second payment with the same id is refused. */
  paymentId?: string
  /** Binds the caller's Idempotency-Key to the payment. */
  claim?: InitiationDraft['claim']
}

/**
 * Starts a payout from a virtual account and returns its payment. The payments domain routes and sends it; the maximum
 * cost is held first, so that concurrent payouts cannot spend the same money.
 */
export async function payOut(
  deps: PayOutDeps,
  caller: Caller,
  account: { accountId: string; currency: string; custody: Custody },
  input: PayOut,
): Promise<Payment> {
  const { beneficiaryId, paymentId, claim } = input
  const beneficiary = await getBeneficiary(deps, caller.orgId, { beneficiaryId }).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 404 ? noSuchBeneficiary() : error
  })
  if (beneficiary.currency !== account.currency) throw otherCurrency('beneficiary_id', beneficiary.currency)
  const draft = await draftPayout(deps, caller, beneficiary, input)
  const { payment } = await initiatePayment(deps, caller, {
    ...draft,
    fundingAccountId: account.accountId,
    claim,
    custody: account.custody,
    ...(paymentId !== undefined && { paymentId }),
  }).catch(asRefusal)
  return payment
}
