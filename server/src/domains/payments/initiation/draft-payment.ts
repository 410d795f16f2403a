import type { Custody } from '../../../kernel/ledger/available.ts'
import type { Card, Payee, PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { CardBins } from '../../../lib/instruments/card-bins.ts'
import { AppError, validationError } from '../../../lib/errors.ts'
import { digitsOf } from '../../../lib/money/decimal-input.ts'
import { parseMinor, type Money } from '../../../lib/money/money.ts'
import { isAllowedReturnUrl, type ReturnUrlPolicy } from '../../../lib/net/return-target.ts'
import { toE164 } from '../../../lib/instruments/phone.ts'
import { getBeneficiary } from '../../parties/beneficiaries/reads.ts'
import type { NetworkDeps } from '../../providers/networks/list-networks.ts'
import { matchNetwork, type MatchedNetwork } from '../../providers/networks/match-network.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import { noSuchBeneficiary } from '../errors.ts'
import { cardOf, cardSummaryOf } from './draft-card.ts'
import type { KeyClaim } from './open-payment.ts'
import type { InitiateBody } from './schema.ts'
import { recordDirections, type CardSummary, type Direction, type PrivateDetails } from '../record.ts'
import type { Beneficiary, BeneficiaryDeps } from '../../parties/beneficiaries/record.ts'
import type { LinkClaim } from '../../parties/payment-links/record.ts'

/** A valid request with all its references resolved, ready to be routed and sent. */
export interface InitiationDraft {
  orgId: string | undefined
  userId: string | undefined
  direction: Exclude<Direction, 'external'>
  method: PaymentMethod
  country: string
  source: Money
  target: Money
  /** The digits of target_amount as the caller sent them, where a locked rate decides the target. */
  statedTarget?: string
  orgRateId: string | null
  clientReference: string | null
  description: string | null
  beneficiaryId: string | null
  /** Set by internal callers that may retry: a second payment with the same id is refused. */
  paymentId?: string
  /** The virtual account that pays for a payout instead of the organisation. */
  fundingAccountId?: string
  /** The custody of the virtual account: only routes of the same one may pay. */
  custody?: Custody
  returnUrl: string | null
  metadata: Record<string, unknown> | null
  details: PrivateDetails
  card: Card | undefined
  cardSummary: CardSummary | null
  /** The code of the chosen mobile money network at each provider. */
  networkCodes: Readonly<Record<string, string>> | undefined
  /** The payment link that it pays, in the version that the payer saw. */
  link?: LinkClaim | undefined
  /** Binds the caller's Idempotency-Key, or the row of a batch, to the payment. */
  claim?: KeyClaim | undefined
  /** A second person has approved it as part of a batch, so its amount needs no further approval. */
  isApproved?: boolean
}

export type DraftDeps = { db: Database; returnUrlPolicy: ReturnUrlPolicy; cardBins: CardBins } & Pick<
  BeneficiaryDeps,
  'vault'
> &
  NetworkDeps

/** `known` is the beneficiary that the body names, where the caller has read it. */
export async function draftInitiation(
  deps: DraftDeps,
  caller: Caller,
  request: InitiateBody,
  known?: Beneficiary,
): Promise<InitiationDraft> {
  const { orgId } = caller
  const beneficiary =
    known ?? (request.beneficiary_id ? await ownBeneficiary(deps, orgId, request.beneficiary_id) : undefined)
  const body = withRegistered(request, beneficiary)
  const country = await countryOf(deps, orgId, body, beneficiary)
  if (body.return_url) await assertReturnUrl(deps, orgId, body.return_url)
  const network = await networkOf(deps, orgId, body, country)
  return {
    orgId: body.org_id,
    userId: body.user_id,
    direction: recordDirections[body.direction],
    method: body.payment_method,
    country,
    source: money(body.amount, body.currency),
    ...targetOf(body),
    clientReference: body.client_reference ?? null,
    description: body.description ?? null,
    beneficiaryId: body.beneficiary_id ?? null,
    returnUrl: body.return_url ?? null,
    metadata: body.metadata ?? null,
    details: detailsOf(body, { country, beneficiary, brand: network?.brand }),
    card: cardOf(body),
    cardSummary: cardSummaryOf(deps, body),
    networkCodes: network?.codes,
  }
}

function money(amount: InitiateBody['amount'], currency: string): Money {
  const amountMinor = parseMinor(digitsOf(amount), currency)
  if (amountMinor === undefined) throw validationError(`The amount has more decimals than ${currency} has.`)
  return { amountMinor, currency }
}

/** In another currency, the target is what the locked rate gives; it is set when the rate is checked. */
function targetOf(body: InitiateBody): Pick<InitiationDraft, 'target' | 'statedTarget' | 'orgRateId'> {
  const { currency, target_currency: targetCurrency } = body
  if (currency === targetCurrency) return { target: money(body.amount, currency), orgRateId: null }
  return {
    target: { amountMinor: 0n, currency: targetCurrency },
    statedTarget: digitsOf(body.target_amount),
    orgRateId: body.org_rate_id ?? null,
  }
}

/** A missing beneficiary, or another organisation's, is an invalid field of the request: 400 and not 404. */
export async function ownBeneficiary(
  deps: Pick<DraftDeps, 'db' | 'vault'>,
  orgId: string,
  beneficiaryId: string,
): Promise<Beneficiary> {
  try {
    return await getBeneficiary(deps, orgId, { beneficiaryId })
  } catch (error) {
    throw error instanceof AppError && error.status === 404 ? noSuchBeneficiary() : error
  }
}

async function countryOf(
  deps: DraftDeps,
  orgId: string,
  body: InitiateBody,
  beneficiary: Beneficiary | undefined,
): Promise<string> {
  const named = body.country ?? body.bank_details?.country ?? beneficiary?.country
  return named ?? (await getOrganizationById(deps, orgId)).country
}

async function assertReturnUrl(deps: DraftDeps, orgId: string, returnUrl: string): Promise<void> {
  const organization = await getOrganizationById(deps, orgId)
  if (!isAllowedReturnUrl(returnUrl, organization, deps.returnUrlPolicy))
    throw validationError(
      'return_url: must be https on a host that your organisation allows, or begin with a scheme in its return_url_schemes, such as myapp://paid; without credentials.',
    )
}

const networkOf = async (
  deps: DraftDeps,
  orgId: string,
  body: InitiateBody,
  country: string,
): Promise<MatchedNetwork | undefined> =>
  body.payment_method === 'mobile_money' && body.mobile_money_details
    ? matchNetwork(deps, orgId, { name: body.mobile_money_details.provider, country })
    : undefined

function detailsOf(
  body: InitiateBody,
  known: { country: string; beneficiary: Beneficiary | undefined; brand: string | undefined },
): PrivateDetails {
  const { country, beneficiary, brand } = known
  const momo = body.mobile_money_details
  const mobileMoney = momo && {
    network: brand ?? momo.provider,
    phoneNumber: phoneOf(momo.phone_number, country),
  }
  return {
    ...(body.payer_details && { payer: withoutNulls(body.payer_details) }),
    ...(mobileMoney && { mobileMoney }),
    ...(body.bank_details && { payerAccount: bankOf(body.bank_details) }),
    ...(body.bank_account && { bankAccount: bankOf(body.bank_account) }),
    ...(beneficiary &&
      body.direction === 'payout' && { payee: payeeOf(beneficiary, body, mobileMoney ?? undefined) }),
  }
}

function phoneOf(text: string, country: string): string {
  const phoneNumber = toE164(text, country)
  if (phoneNumber === undefined)
    throw validationError('mobile_money_details.phone_number: is not a phone number.', [
      { path: 'mobile_money_details.phone_number', message: 'is not a phone number' },
    ])
  return phoneNumber
}

type Nullable<T> = { [Key in keyof T]: Exclude<T[Key], null> }
const withoutNulls = <T extends object>(value: T): Nullable<T> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) as Nullable<T> // nulls are gone

const bankOf = (bank: {
  account_number: string
  account_name?: string | null | undefined
  bank_name?: string | null | undefined
  bank_code?: string | null | undefined
  country?: string | null | undefined
}) => ({
  accountNumber: bank.account_number,
  accountName: bank.account_name ?? undefined,
  bankName: bank.bank_name ?? undefined,
  bankCode: bank.bank_code ?? undefined,
  country: bank.country ?? undefined,
})

/** A payout that names no account goes to the registered one of the beneficiary. */
function withRegistered(body: InitiateBody, beneficiary: Beneficiary | undefined): InitiateBody {
  if (body.direction !== 'payout' || !beneficiary) return body
  const { bank_details: bank, momo_details: momo } = beneficiary.details
  if (body.payment_method === 'mobile_money' && !body.mobile_money_details) {
    if (!momo) throw validationError('beneficiary_id: the beneficiary has no mobile money number.')
    return { ...body, mobile_money_details: momo }
  }
  if (body.payment_method !== 'bank_transfer' || body.bank_account) return body
  const number = bank?.account_number ?? bank?.iban
  if (number === undefined) throw validationError('beneficiary_id: the beneficiary has no bank account.')
  return {
    ...body,
    bank_account: { account_number: number, bank_code: bank?.bank_code, bank_name: bank?.bank_name },
  }
}

/** Money goes only to the registered account, so a request that names another one is refused. */
function assertRegistered(
  beneficiary: Beneficiary,
  body: InitiateBody,
  mobileMoney: PrivateDetails['mobileMoney'],
): void {
  const { bank_details: bank, momo_details: momo } = beneficiary.details
  if (body.bank_account) {
    const { account_number, bank_code } = body.bank_account
    if (!bank) throw validationError('beneficiary_id: the beneficiary has no bank account.')
    if (account_number !== bank.account_number && account_number !== bank.iban)
      throw validationError('bank_account.account_number: is not the account of the beneficiary.')
    if (bank_code && bank.bank_code !== undefined && bank_code !== bank.bank_code)
      throw validationError('bank_account.bank_code: is not the bank of the beneficiary.')
  }
  if (mobileMoney) {
    if (!momo) throw validationError('beneficiary_id: the beneficiary has no mobile money number.')
    if (toE164(momo.phone_number, beneficiary.country) !== mobileMoney.phoneNumber)
      throw validationError('mobile_money_details.phone_number: is not the number of the beneficiary.')
  }
}

function payeeOf(
  beneficiary: Beneficiary,
  body: InitiateBody,
  mobileMoney: PrivateDetails['mobileMoney'],
): Payee {
  assertRegistered(beneficiary, body, mobileMoney)
  const { details } = beneficiary
  const registered = details.bank_details
  const requested = body.bank_account
  return {
    name: `${details.fname} ${details.lname}`,
    email: details.email ?? undefined,
    phone: details.phone_number ?? undefined,
    mobileMoney,
    bankAccount: requested
      ? {
          ...bankOf(requested),
          accountName: registered?.account_name ?? `${details.fname} ${details.lname}`,
          bankCode: registered?.bank_code ?? requested.bank_code ?? undefined,
          bankName: registered?.bank_name ?? requested.bank_name ?? undefined,
          sortCode: registered?.sort_code,
          iban: registered?.iban,
          swiftCode: registered?.swift_code,
          country: registered?.country ?? beneficiary.country,
        }
      : undefined,
    description: body.description ?? undefined,
  }
}
