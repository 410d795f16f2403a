import type { CompiledQuery } from 'kysely'
import type { Caller } from '../../../lib/requests/access.ts'
import { convert, toRate } from '../../../lib/money/decimal.ts'
import { validationError } from '../../../lib/errors.ts'
import { matchNetwork } from '../../providers/networks/match-network.ts'
import type { NetworkDeps } from '../../providers/networks/list-networks.ts'
import { assertPayoutsOpen } from '../../people/organizations/reads.ts'
import { rateExpired } from '../../pricing/rates/errors.ts'
import { getQuote } from '../../pricing/rates/reads.ts'
import { quoteRate } from '../../pricing/rates/quote-rate.ts'
import type { Quote, RateDeps } from '../../pricing/rates/record.ts'
import { openDetails, toConnectorAttempt } from '../attempts/build-request.ts'
import { chooseRoute, type RoutingDeps } from './choose-route.ts'
import type { Payment, PaymentDeps, PrivateDetails } from '../record.ts'
import { amendPayment } from '../store.ts'

export interface Approval {
  payment: Payment
  /** The rate that the approver accepts in place of an expired one. */
  orgRateId: string | undefined
}

/** The payment as it may be sent now, and the statements that write what changed about it. */
export interface PayoutCheck {
  payment: Payment
  statements: CompiledQuery[]
}

const otherCustody = 'the payout was requested from the other custody'

export type CheckPayoutDeps = PaymentDeps & RoutingDeps & NetworkDeps & RateDeps

/**
 * Days may pass between the request and its approval, so the approval repeats the checks of the request:
 * the verification of the organisation, the rate, and the route, which excludes configurations that were disabled since.
 */
export async function checkPayout(
  deps: CheckPayoutDeps,
  caller: Caller,
  { payment, orgRateId }: Approval,
): Promise<PayoutCheck> {
  if (payment.custody !== 'own') await assertPayoutsOpen(deps, payment.orgId)
  const quote = await acceptedQuote(deps, caller, { payment, orgRateId })
  const priced = quote && orgRateId !== undefined ? repriced(payment, quote) : payment
  const details = await openDetails(deps, payment)
  if (!details.payee) throw validationError('The payment names no account to pay to.')
  const routing = await chooseRoute(deps, {
    orgId: payment.orgId,
    source: priced.source,
    attempt: toConnectorAttempt(priced, { reference: '', providerRef: null, createdAt: deps.clock.now() }),
    details: details.payee,
    networkCodes: await networkCodesOf(deps, payment, details),
    // The request decided which custody pays; the other one does not hold the money.
    custody: payment.custody === null ? undefined : { required: payment.custody, why: otherCustody },
    facts: {
      seed: payment.clientReference ?? payment.paymentId,
      cardBrand: null,
      issuerCountry: null,
      network: details.payee.mobileMoney?.network ?? null,
      metadata: payment.metadata,
    },
  })
  return amended({ ...priced, routing })
}

/** Writes what an approval changed about the payment: the amounts, the rate and the route. */
export const amended = (payment: Payment): PayoutCheck => ({
  payment,
  statements: [amendPayment(payment.orgId, payment)],
})

/** Undefined when nothing is exchanged. Refuses an expired rate, and names the one that would apply now. */
export async function acceptedQuote(
  deps: RateDeps,
  caller: Caller,
  { payment, orgRateId }: Approval,
): Promise<Quote | undefined> {
  const { source, target } = payment
  if (source.currency === target.currency) return undefined
  const named = orgRateId ?? payment.orgRateId
  const quote = named === null ? undefined : await getQuote(deps, payment.orgId, named)
  const isValid =
    quote !== undefined &&
    quote.fromCurrency === source.currency &&
    quote.toCurrency === target.currency &&
    !quote.isExpired
  if (isValid) return quote
  throw rateExpired(
    await quoteRate(deps, caller, { fromCurrency: source.currency, toCurrency: target.currency }),
  )
}

/** The organisation pays the same amount; the recipient gets what the accepted rate yields. */
function repriced(payment: Payment, quote: Quote): Payment {
  const target = convert(payment.source, toRate(quote.rate), quote.toCurrency)
  if (target.amountMinor === 0n) throw validationError('The amount is too small for the new rate.')
  return { ...payment, target, orgRateId: quote.orgRateId }
}

async function networkCodesOf(
  deps: NetworkDeps,
  { orgId, country, method }: Payment,
  { payee }: PrivateDetails,
): Promise<Record<string, string> | undefined> {
  if (method !== 'mobile_money' || !payee?.mobileMoney) return undefined
  const { codes } = await matchNetwork(deps, orgId, { name: payee.mobileMoney.network, country })
  return codes
}
