import type { Caller } from '../../lib/access.ts'
import { AppError, notFound, validationError } from '../../lib/errors.ts'
import { getBeneficiary } from '../beneficiaries/get-beneficiary.ts'
import type { Beneficiary } from '../beneficiaries/create-beneficiary.ts'
import { noSuchBeneficiary } from '../payments/errors.ts'
import { initiatePayment, type InitiationDeps } from '../payments/initiate-payment.ts'
import { draftInitiation, type DraftDeps } from '../payments/initiation-draft.ts'
import type { InitiateBody } from '../payments/initiation-schema.ts'
import { getAccount } from '../virtual-accounts/get-account.ts'
import { asRefusal, notActive, otherCurrency } from './errors.ts'
import { parseAmount } from './rules.ts'
import { findTransaction, type VirtualTransaction } from './store.ts'

export type WithdrawDeps = InitiationDeps & DraftDeps

export interface Withdrawal {
  accountId: string
  beneficiaryId: string
  amount: number
  description: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
}

/**
 * A payout that the account pays. The payments domain routes, sends and follows it; what it may cost is held before
 * anything is sent, so two withdrawals at once cannot spend the same money.
 */
export async function withdrawMoney(
  deps: WithdrawDeps,
  caller: Caller,
  input: Withdrawal,
): Promise<VirtualTransaction> {
  const { orgId } = caller
  const account = await getAccount(deps, orgId, { accountId: input.accountId })
  if (account.status !== 'active') throw notActive()
  parseAmount(input.amount, account.currency)
  const beneficiary = await getBeneficiary(deps, orgId, { beneficiaryId: input.beneficiaryId }).catch(
    (error: unknown) => {
      throw error instanceof AppError && error.status === 404 ? noSuchBeneficiary() : error
    },
  )
  if (beneficiary.currency !== account.currency) throw otherCurrency('beneficiary_id', beneficiary.currency)
  const draft = await draftInitiation(deps, caller, payoutTo(beneficiary, input))
  const { payment } = await initiatePayment(deps, caller, {
    ...draft,
    fundingAccountId: account.accountId,
  }).catch(asRefusal)
  const written = await deps.db.inOrg(orgId, (tx) => findTransaction(tx, orgId, payment.paymentId))
  if (!written) throw notFound('The transaction')
  return written
}

/** To the registered account, as an initiation would name it. */
function payoutTo(beneficiary: Beneficiary, input: Withdrawal): InitiateBody {
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
