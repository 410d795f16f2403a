import type { Account } from '../../core/accounts.ts'
import { scaledAmount } from '../../core/money.ts'
import {
  decimalsOf,
  isPhoneOf,
  MAX_AMOUNT,
  MIN_AMOUNT,
  networkOf,
  type Network,
  type PawapayOperation,
} from './networks.ts'
import { AMOUNT_SCALE } from './present.ts'

const AMOUNT = /^(0|[1-9][0-9]{0,17})([.][0-9]{0,3}[1-9])?$/

interface PaymentTerms {
  readonly operation: PawapayOperation
  readonly amount: string
  readonly currency: string
  readonly provider: string
  readonly phoneNumber: string
}

type ProviderStatus = 'OPERATIONAL' | 'DELAYED' | 'CLOSED'

/** An account option with the network's code sets its status: `{MTN_MOMO_UGA: 'CLOSED'}`. */
export function statusOfNetwork(account: Account, provider: string): ProviderStatus {
  const status = account.options[provider]
  return status === 'DELAYED' || status === 'CLOSED' ? status : 'OPERATIONAL'
}

/** The network, or pawaPay's rejection code. */
export function checkPayment(
  account: Account,
  terms: PaymentTerms,
): { readonly network: Network } | { readonly rejectionCode: string } {
  const network = networkOf(terms.provider)
  if (network === undefined) return { rejectionCode: 'INVALID_PROVIDER' }
  if (!network.currencies.includes(terms.currency)) return { rejectionCode: 'INVALID_CURRENCY' }
  if (!isPhoneOf(network, terms.phoneNumber)) return { rejectionCode: 'INVALID_PHONE_NUMBER' }
  const rejectionCode = amountProblem(network, terms) ?? availabilityProblem(account, terms)
  return rejectionCode === undefined ? { network } : { rejectionCode }
}

export function amountProblem(
  network: Network,
  terms: Pick<PaymentTerms, 'operation' | 'amount'>,
): string | undefined {
  const decimals = terms.amount.split('.')[1]?.length ?? 0
  const allowed = decimalsOf(network, terms.operation) === 'TWO_PLACES' ? 2 : 0
  const scaled = scaledAmount(terms.amount, AMOUNT_SCALE)
  if (!AMOUNT.test(terms.amount) || decimals > allowed || scaled === undefined) return 'INVALID_AMOUNT'
  const isOutside = scaled < limit(MIN_AMOUNT) || scaled > limit(MAX_AMOUNT)
  return isOutside ? 'AMOUNT_OUT_OF_BOUNDS' : undefined
}

function availabilityProblem(account: Account, { operation, provider }: PaymentTerms): string | undefined {
  const status = statusOfNetwork(account, provider)
  // A delayed network rejects deposits and queues payouts and refunds.
  const isClosed = status === 'CLOSED' || (status === 'DELAYED' && operation === 'DEPOSIT')
  return isClosed ? 'PROVIDER_TEMPORARILY_UNAVAILABLE' : undefined
}

function limit(amount: string): bigint {
  return scaledAmount(amount, AMOUNT_SCALE) ?? 0n
}
