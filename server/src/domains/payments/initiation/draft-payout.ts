import type { Caller } from '../../../lib/requests/access.ts'
import { validationError } from '../../../lib/errors.ts'
import type { Beneficiary } from '../../parties/beneficiaries/record.ts'
import { draftInitiation, type DraftDeps, type InitiationDraft } from './draft-payment.ts'
import type { InitiateBody } from './schema.ts'

interface PayoutRequest {
  amount: InitiateBody['amount']
  description: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
}

/** A payout to the registered account of a beneficiary, in the beneficiary's currency. */
export const draftPayout = (
  deps: DraftDeps,
  caller: Caller,
  beneficiary: Beneficiary,
  request: PayoutRequest,
): Promise<InitiationDraft> => draftInitiation(deps, caller, bodyOf(beneficiary, request), beneficiary)

/** The body of an equivalent payment initiation. */
function bodyOf(beneficiary: Beneficiary, request: PayoutRequest): InitiateBody {
  const { bank_details: bank, momo_details: momo } = beneficiary.details
  const common = {
    amount: request.amount,
    target_amount: request.amount,
    currency: beneficiary.currency,
    target_currency: beneficiary.currency,
    direction: 'payout' as const,
    country: beneficiary.country,
    beneficiary_id: beneficiary.beneficiaryId,
    description: request.description,
    client_reference: request.reference,
    metadata: request.metadata,
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
