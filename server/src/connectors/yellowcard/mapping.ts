import type {
  AcceptedOutcome,
  Attempt,
  Capability,
  Inquiry,
  NextAction,
  Outcome,
  RampDetails,
} from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failureOf, type FailureCode } from '../kit/failures.ts'
import { rawNumber } from '../../lib/text/json.ts'
import { formatMinor } from '../../lib/money/money.ts'
import type { RampAnswer } from './answers.ts'
import type { RefusedReply, Reply } from './client.ts'
import type { YellowcardCredentials } from './credentials.ts'

export function capabilitiesOf({ markets, networks }: YellowcardCredentials): Capability[] {
  const assets = Object.fromEntries(
    Object.entries(networks).map(([asset, byNetwork]) => [asset, Object.keys(byNetwork)]),
  )
  return (['on_ramp', 'off_ramp'] as const).flatMap((direction) =>
    (['bank', 'momo'] as const).map((type) => {
      const own = Object.entries(markets).filter(([, market]) => market.types.split(' ').includes(type))
      return {
        direction,
        method: methodOf(type),
        countries: own.map(([country]) => country),
        currencies: own.map(([, { currency }]) => currency),
        assets,
      }
    }),
  )
}

const methodOf = (type: 'bank' | 'momo') => (type === 'bank' ? 'bank_transfer' : 'mobile_money')

export const channelTypeOf = ({ method }: Attempt): 'bank' | 'momo' =>
  method === 'mobile_money' ? 'momo' : 'bank'

/** Statuses of both API versions. An unknown status is never final. */
export function stateOf(
  status: string,
  errorCode: string | null | undefined,
  direction: string,
): ProviderState {
  const failed = (code: FailureCode): ProviderState => ({ state: 'failed', failure: failureOf(code) })
  switch (status.toLowerCase()) {
    case 'settlement_complete':
      return { state: 'completed' }
    case 'complete':
      // For an on-ramp it means that the fiat has arrived and the crypto has not been sent.
      return direction === 'on_ramp' ? { state: 'processing' } : { state: 'completed' }
    case 'failed':
      return failed(codes[errorCode ?? ''] ?? 'UNSPECIFIED')
    case 'expired':
      return failed('EXPIRED')
    case 'cancelled':
      return { state: 'canceled' }
    case 'refunded':
      return failed('RETURNED')
    case 'refund_failed':
      return failed('RETURN_FAILED')
    case 'settlement_pending':
    case 'settlement_processing':
    case 'settlement_failed':
    case 'pending_refund':
    case 'refund_processing':
      return { state: 'processing' }
    default:
      return { state: 'pending' }
  }
}

const codes: Readonly<Record<string, FailureCode>> = {
  CHANNEL_INACTIVE: 'PROVIDER_UNAVAILABLE',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
  NOT_APPROVED: 'NOT_APPROVED',
  REFUSED: 'PROVIDER_REFUSED',
}

/** Undefined if the answer concerns something else. */
function acceptedOf(attempt: Attempt, answer: RampAnswer, network?: string): AcceptedOutcome | undefined {
  if (answer.sequenceId !== attempt.reference) return undefined
  return {
    kind: 'accepted',
    providerRef: answer.id,
    providerStatus: answer.status,
    state: stateOf(answer.status, answer.errorCode, attempt.direction),
    nextAction: nextActionOf(attempt, answer, network),
  }
}

function nextActionOf(attempt: Attempt, answer: RampAnswer, network?: string): NextAction | undefined {
  const expires = answer.expiresAt ? { expires_at: answer.expiresAt } : {}
  const { bankInfo, settlementInfo, reference } = answer
  if (attempt.direction === 'off_ramp')
    return settlementInfo?.walletAddress && network !== undefined
      ? {
          type: 'crypto_transfer',
          instructions: { address: settlementInfo.walletAddress, network, ...expires },
        }
      : undefined
  if (!bankInfo) return { type: 'wait' }
  return {
    type: 'bank_transfer',
    instructions: {
      account_number: bankInfo.accountNumber,
      bank_name: bankInfo.name,
      ...(bankInfo.accountName && { account_name: bankInfo.accountName }),
      ...(reference && { reference }),
      ...expires,
    },
  }
}

const unfit = { kind: 'unknown', reason: 'the answer does not match the payment' } as const

export function outcomeOf(attempt: Attempt, reply: Reply<RampAnswer>, network: string): Outcome {
  if (reply.kind === 'refused') return refusalOf(reply)
  if (reply.kind !== 'read') return reply
  return acceptedOf(attempt, reply.value, network) ?? unfit
}

/** Our name of the settlement network, which a lost answer would have contained. */
const networkOf = ({ networks }: YellowcardCredentials, { settlementInfo }: RampAnswer): string | undefined =>
  Object.entries(networks[settlementInfo?.cryptoCurrency ?? ''] ?? {}).find(
    ([, own]) => own === settlementInfo?.cryptoNetwork,
  )?.[0]

export function inquiryOf(
  attempt: Attempt,
  reply: Reply<RampAnswer>,
  credentials: YellowcardCredentials,
): Inquiry {
  if (reply.kind === 'read')
    return acceptedOf(attempt, reply.value, networkOf(credentials, reply.value)) ?? unfit
  if (reply.kind !== 'refused') return { kind: 'unknown', reason: reply.reason }
  const isNotFound = reply.status === 404 && /NotFound/.test(reply.code)
  return isNotFound ? { kind: 'not_found' } : { kind: 'unknown', reason: `HTTP ${reply.status}` }
}

/** Only documented errors are refusals; anything else is unknown. */
export function refusalOf({ status, code, message }: RefusedReply): Outcome {
  if (/sequence/i.test(message)) return { kind: 'unknown', reason: 'the reference is a duplicate' }
  if (status === 401 || status === 403) return declined('PROVIDER_REFUSED', true)
  if (status !== 400) return { kind: 'unknown', reason: `HTTP ${status}` }
  if (code === 'ResolveAccountError' || code === 'InvalidPhoneNumberFormat')
    return declined('ACCOUNT_INVALID', false)
  if (code !== 'PaymentValidationError' && code !== 'InvalidRequestBody')
    return { kind: 'unknown', reason: code }
  if (/wallet/i.test(message)) return declined('ADDRESS_INVALID', false)
  return /inactive|unavailable/i.test(message)
    ? declined('PROVIDER_UNAVAILABLE', true)
    : declined('PROVIDER_REFUSED', true)
}

export const declined = (code: FailureCode, fallback: boolean): Outcome => ({
  kind: 'declined',
  failure: failureOf(code),
  fallback,
})

/** Fields of both directions. The amount is written as text, so that it keeps its digits. */
export function rampRequest(
  attempt: Attempt,
  details: RampDetails,
  found: { channelId: string; networkId: string; cryptoNetwork: string },
  known: Readonly<Record<string, string>>,
): object {
  const { person, customer } = details
  const isOnRamp = attempt.direction === 'on_ramp'
  const type = channelTypeOf(attempt)
  const account = {
    accountType: type,
    networkId: found.networkId,
    accountNumber: type === 'momo' ? person.mobileMoney?.phoneNumber : person.bankAccount?.accountNumber,
  }
  const somebody = {
    name: person.name,
    country: attempt.country,
    phone: person.phone ?? person.mobileMoney?.phoneNumber,
    email: person.email,
    ...(customer.type === 'business' && {
      businessId: customer.businessId,
      businessName: customer.businessName,
    }),
    ...known,
  }
  return {
    sequenceId: attempt.reference,
    channelId: found.channelId,
    localAmount: rawNumber(formatMinor(attempt.amount.amountMinor, attempt.amount.currency)),
    customerUID: customer.id,
    customerType: customer.type === 'business' ? 'institution' : 'retail',
    forceAccept: true,
    directSettlement: true,
    settlementInfo: {
      cryptoCurrency: details.crypto.currency,
      cryptoNetwork: found.cryptoNetwork,
      ...(isOnRamp && { walletAddress: details.walletAddress }),
    },
    ...(isOnRamp
      ? { recipient: somebody, source: account }
      : {
          reason: 'other',
          sender: somebody,
          destination: { ...account, accountName: person.name },
        }),
  }
}
