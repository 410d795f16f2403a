import type { Origin } from '../../../lib/requests/access.ts'
import { convert, leastSource, toRate } from '../../../lib/money/decimal.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { PaymentLink } from '../../parties/payment-links/record.ts'
import { storeRate } from '../../parties/payment-links/store-rate.ts'
import { getQuote } from '../../pricing/rates/reads.ts'
import { quoteRate } from '../../pricing/rates/quote-rate.ts'
import { payerOf } from './load-visit.ts'
import type { PriceDeps, Price } from './record.ts'

/** Enough time to type in a card number; a rate that expires sooner is replaced by a new one. */
const leastTimeMs = 5 * 60_000

/** Payers of a link share one locked rate until it expires or is used: what is left of it may not suffice. */
export async function priceLink(deps: PriceDeps, link: PaymentLink, origin: Origin): Promise<Price> {
  const isOpen = link.amountType === 'open'
  const fixed = isOpen ? undefined : link.amount
  if (link.payerCurrency === link.amount.currency)
    return { source: fixed, target: fixed, exchange: undefined }
  const exchange = await lockedRate(deps, link, origin)
  const source = fixed && leastSource(fixed, toRate(exchange.rate), link.payerCurrency)
  return { source, target: source && targetOf(link, source, exchange.rate), exchange }
}

/** Uses the rate that the payer was shown, which the form names. */
export async function priceAtQuote(
  deps: PriceDeps,
  link: PaymentLink,
  shown: { typed: Money | undefined; orgRateId: string | undefined },
): Promise<{ source: Money; target: Money } | undefined> {
  const isSame = link.payerCurrency === link.amount.currency
  const rate = isSame ? '1' : await rateOf(deps, link, shown.orgRateId)
  if (rate === undefined) return undefined
  const isOpen = link.amountType === 'open'
  const asked = isSame ? link.amount : leastSource(link.amount, toRate(rate), link.payerCurrency)
  const source = isOpen ? shown.typed : asked
  return source && { source, target: isSame ? source : targetOf(link, source, rate) }
}

const targetOf = (link: PaymentLink, source: Money, rate: string): Money =>
  convert(source, toRate(rate), link.amount.currency)

async function rateOf(
  deps: PriceDeps,
  { orgId }: PaymentLink,
  orgRateId: string | undefined,
): Promise<string | undefined> {
  return orgRateId === undefined ? undefined : (await getQuote(deps, orgId, orgRateId))?.rate
}

async function lockedRate(
  deps: PriceDeps,
  link: PaymentLink,
  origin: Origin,
): Promise<NonNullable<Price['exchange']>> {
  const known = link.orgRateId === null ? undefined : await getQuote(deps, link.orgId, link.orgRateId)
  if (known?.isUnused && known.expiresAt.getTime() - deps.clock.now().getTime() > leastTimeMs) return known
  const quote = await quoteRate(deps, payerOf(link, origin), {
    fromCurrency: link.payerCurrency,
    toCurrency: link.amount.currency,
  })
  await storeRate(deps, link.orgId, { linkId: link.linkId, orgRateId: quote.orgRateId })
  return quote
}
