import type { Payee, PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { RampDirection } from '../../../connectors/kit/ramp-details.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { toRate, type Rate } from '../../../lib/money/decimal.ts'
import { validationError } from '../../../lib/errors.ts'
import { digitsOf } from '../../../lib/money/decimal-input.ts'
import { parseMinor, type Money } from '../../../lib/money/money.ts'
import { networkNamed } from '../../../lib/instruments/wallet-address.ts'
import { toE164 } from '../../../lib/instruments/phone.ts'
import type { NetworkDeps } from '../../providers/networks/list-networks.ts'
import { matchNetwork, type MatchedNetwork } from '../../providers/networks/match-network.ts'
import { ownBeneficiary } from '../../payments/initiation/draft-payment.ts'
import { assertCallerIds, memberNamed, type KeyClaim } from '../../payments/initiation/open-payment.ts'
import { getCurrentUser } from '../../people/organizations/members/reads.ts'
import type { RampPrivateDetails } from './record.ts'
import type { RampDeps } from './record.ts'
import { chooseAccounts } from './choose-accounts.ts'
import { directionOf, type RampBody } from './schema.ts'
import type { Beneficiary } from '../../parties/beneficiaries/record.ts'

/** A valid request with all its references resolved, ready to be priced, routed and sent. */
export interface RampDraft {
  direction: RampDirection
  fiat: Money
  asset: string
  network: string
  country: string
  clientRate: Rate
  walletAddress: string | null
  /** How the fiat moves. */
  fiatMethod: PaymentMethod
  networkCodes: Readonly<Record<string, string>> | undefined
  /** The member that it is for, where that is not the caller. */
  onBehalfOf: string | null
  beneficiaryId: string | null
  clientReference: string | null
  metadata: Record<string, unknown> | null
  details: RampPrivateDetails
  /** Binds the caller's Idempotency-Key to the ramp's payment. */
  claim?: KeyClaim | undefined
}

export type RampDraftDeps = RampDeps & NetworkDeps

export async function draftRamp(deps: RampDraftDeps, caller: Caller, body: RampBody): Promise<RampDraft> {
  assertCallerIds(caller, { orgId: body.org_id, userId: body.user_id })
  const onBehalfOf = await memberNamed(deps, caller, body.user_id)
  const direction = directionOf(body)
  const network = networkNamed(body.crypto_network)
  const fiatMinor = parseMinor(String(body.fiat_amount), body.fiat_currency)
  if (network === undefined || fiatMinor === undefined) throw validationError('The request is not valid.')
  const beneficiary = body.beneficiary_id
    ? await ownBeneficiary(deps, caller.orgId, body.beneficiary_id)
    : undefined
  const { momo, bankAccount } = chooseAccounts(direction, body, beneficiary)
  const matched =
    momo && (await matchNetwork(deps, caller.orgId, { name: momo.provider, country: body.country }))
  // Of two ways to collect, the bank is taken where the country has no mobile money.
  const isUsed = matched && (!bankAccount || Object.keys(matched.codes).length > 0)
  const mobileMoney = isUsed ? mobileMoneyOf(momo.phone_number, body.country, matched) : undefined
  return {
    direction,
    fiat: { amountMinor: fiatMinor, currency: body.fiat_currency },
    asset: body.crypto_currency,
    network,
    country: body.country,
    clientRate: toRate(digitsOf(body.client_rate)),
    walletAddress: body.wallet_address ?? null,
    fiatMethod: mobileMoney ? 'mobile_money' : 'bank_transfer',
    networkCodes: matched?.codes,
    onBehalfOf,
    beneficiaryId: body.beneficiary_id ?? null,
    clientReference: body.client_reference ?? null,
    metadata: body.metadata ?? null,
    details: await detailsOf(deps, caller, body, {
      network,
      direction,
      mobileMoney,
      bankAccount,
      beneficiary,
    }),
  }
}

function mobileMoneyOf(phone: string, country: string, { brand }: MatchedNetwork) {
  const phoneNumber = toE164(phone, country)
  if (phoneNumber === undefined)
    throw validationError('mobile_money_details.phone_number: is not a phone number.', [
      { path: 'mobile_money_details.phone_number', message: 'is not a phone number' },
    ])
  return { network: brand, phoneNumber }
}

interface DraftContext {
  network: string
  direction: RampDirection
  mobileMoney: Payee['mobileMoney']
  bankAccount: Payee['bankAccount']
  beneficiary: Beneficiary | undefined
}

async function detailsOf(
  deps: RampDraftDeps,
  caller: Caller,
  body: RampBody,
  known: DraftContext,
): Promise<RampPrivateDetails> {
  const user = await getCurrentUser(deps, { ...caller, userId: body.user_id ?? caller.userId })
  const { mobileMoney, bankAccount } = known
  const customer = {
    id: user.userId,
    type: body.customer_type,
    businessId: body.business_id ?? undefined,
    businessName: body.business_name ?? undefined,
  }
  const wallet = { network: known.network, address: body.wallet_address ?? null }
  // The request has no payer, so the member that the ramp is for is the customer.
  const member = { name: body.business_name ?? `${user.firstName} ${user.lastName}`, email: user.email }
  if (known.direction === 'on_ramp') {
    const payer = { ...member, ...holderOf(body), phone: mobileMoney?.phoneNumber }
    return { payer, customer, mobileMoney, payerAccount: bankAccount, wallet }
  }
  const payee = payeeOf(body, known.beneficiary, { mobileMoney, bankAccount })
  return { payer: member, customer, payee, wallet }
}

/** The holder of the account that the fiat is collected from. */
const holderOf = ({ beneficiary_name: name }: RampBody): { name?: string } =>
  name === undefined || name === null ? {} : { name }

function payeeOf(
  body: RampBody,
  beneficiary: Beneficiary | undefined,
  accounts: Pick<Payee, 'mobileMoney' | 'bankAccount'>,
): Payee {
  if (!accounts.mobileMoney && !accounts.bankAccount)
    throw validationError('beneficiary_id: the beneficiary has no account to pay to.')
  const { fname, lname, email, phone_number } = beneficiary?.details ?? {}
  return {
    name: beneficiary ? `${fname} ${lname}` : (body.beneficiary_name ?? ''),
    email: email ?? undefined,
    phone: phone_number ?? undefined,
    ...accounts,
  }
}
