import type { Custody } from '../../../ledger/available.ts'
import type { Caller } from '../../../lib/access.ts'
import { AppError, validationError } from '../../../lib/errors.ts'
import { getBeneficiary } from '../../beneficiaries/get-beneficiary.ts'
import type { Beneficiary } from '../../beneficiaries/record.ts'
import { noSuchBeneficiary } from '../../payments/errors.ts'
import {
  draftInitiation,
  type DraftDeps,
  type InitiationDraft,
} from '../../payments/initiation/draft-payment.ts'
import { initiatePayment, type InitiationDeps } from '../../payments/initiation/initiate-payment.ts'
import type { InitiateBody } from '../../payments/initiation/schema.ts'
import type { Payment } from '../../payments/record.ts'
import { asRefusal, otherCurrency } from './errors.ts'

export type PayOutDeps = InitiationDeps & DraftDeps

export interface PayOut {
  beneficiaryId: string
  amount: number
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
  const draft = await draftInitiation(deps, caller, bodyOf(beneficiary, input))
  const { payment } = await initiatePayment(deps, caller, {
    ...draft,
    fundingAccountId: account.accountId,
    claim,
    custody: account.custody,
    ...(paymentId !== undefined && { paymentId }),
  }).catch(asRefusal)
  return payment
}

/** The body of an equivalent payment initiation, to the beneficiary's registered account. */
function bodyOf(beneficiary: Beneficiary, input: PayOut): InitiateBody {
  const { bank_details: bank, momo_details: momo } = beneficiary.details
  const common = {
    amount: input.amount,
    target_amount: input.amount,
    currency: beneficiary.currency,
    target_currency: beneficiary.currency,
    direction: 'payout' as const,
    country: beneficiary.country,
    beneficiary_id: beneficiary.beneficiaryId,
    description: input.description,
    client_reference: input.reference,
    metadata: input.metadata,
  }
  if (beneficiary.accountType === 'mobile_money' && momo)
    return { ...common, payment_method: 'mobile_money', mobile_money_details: momo }
  const number = bank?.account_number ?? bank?.iban
  if (!bank || number === undefined)
    throw validationError('beneficiary_id: the beneficiary has no account to pay to.')
  return {
    ...common,
    payment_method: 'bank_transfer',
    bank_account: { account_number: number, bank_code: bank.bank_code, bank_name: bank.bank_name },
  }
}
