import { isCrypto, isFiat, parseMinor } from '../../../../lib/money/money.ts'
import { toE164 } from '../../../../lib/instruments/phone.ts'
import { isSettled } from '../../lifecycle/rules.ts'
import { nameWordsOf, normaliseEmail } from '../search/rules.ts'
import type { AmountIn, Facet, SearchMeaning, TransactionFilters } from './record.ts'

/** Changes within this time of the creation are found by the payment's age; the column in the migration has the same limit. */
export const lateAfterMs = 60 * 60_000

/** A shorter prefix of a UUIDv7 covers more than about a minute. */
const shortestIdPrefix = 8
const phoneCountriesLimit = 20
const phonePattern = /^\+?[\d\s().-]{6,25}$/
const amountPattern = /^\d{1,18}(?:\.\d{1,18})?$/

export function readFacet(text: string): Facet {
  const [country = '', currency = '', direction = '', paymentMethod = '', status = '', provider = ''] =
    text.split(' ')
  return {
    text,
    country,
    currency,
    direction,
    paymentMethod,
    ended: status === 'open' ? undefined : { status, provider },
  }
}

/** The facets whose payments can pass the filters. */
export function matchFacets(facets: readonly Facet[], filters: TransactionFilters): Facet[] {
  const isOr = (wanted: string | undefined, value: string): boolean =>
    wanted === undefined || wanted === value
  const statuses: readonly string[] | undefined = filters.statuses
  const wantsOpen = filters.statuses?.some((status) => !isSettled(status)) ?? true
  return facets.filter(
    ({ country, currency, direction, paymentMethod, ended }) =>
      isOr(filters.country, country) &&
      isOr(filters.currency, currency) &&
      isOr(filters.direction, direction) &&
      isOr(filters.paymentMethod, paymentMethod) &&
      (ended
        ? (statuses?.includes(ended.status) ?? true) && isOr(filters.provider, ended.provider)
        : wantsOpen),
  )
}

export const hasFacetFilter = (filters: TransactionFilters): boolean =>
  [
    filters.statuses,
    filters.country,
    filters.currency,
    filters.direction,
    filters.paymentMethod,
    filters.provider,
  ].some((filter) => filter !== undefined)

/** What the text can mean to an organisation whose payments have these facets. */
export function readSearch(text: string, facets: readonly Facet[]): SearchMeaning {
  const q = text.trim()
  return {
    idRange: idRangeOf(q.toLowerCase()),
    referencePrefix: q,
    email: q.includes('@') ? normaliseEmail(q) : undefined,
    nameWords: q.includes('@') ? [] : nameWordsOf(q),
    phones: phonesOf(q, facets),
    amounts: amountsOf(q, facets),
  }
}

/** A prefix of a UUID as the first and the last id that begin with it. */
export function idRangeOf(text: string): { low: string; high: string } | undefined {
  const digits = text.replaceAll('-', '')
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < shortestIdPrefix || digits.length > 32) return undefined
  const fill = (digit: string): string =>
    digits.padEnd(32, digit).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const low = fill('0')
  return low.startsWith(text) || !text.includes('-') ? { low, high: fill('f') } : undefined
}

const currenciesOf = (facets: readonly Facet[]): string[] => [...new Set(facets.map((one) => one.currency))]

function amountsOf(q: string, facets: readonly Facet[]): AmountIn[] {
  if (!amountPattern.test(q)) return []
  return currenciesOf(facets).flatMap((currency) => {
    const minor = minorOf(q, currency)
    return minor === undefined || minor === '0' ? [] : [{ currency, minor }]
  })
}

/** Undefined for an unknown currency, and for more decimals than it has. */
export const minorOf = (amount: string, currency: string): string | undefined =>
  isFiat(currency) || isCrypto(currency) ? parseMinor(amount, currency)?.toString() : undefined

/** A number without its country's code may belong to any country that the organisation has payments in. */
function phonesOf(q: string, facets: readonly Facet[]): string[] {
  if (!phonePattern.test(q)) return []
  const countries = [...new Set(facets.map((one) => one.country))].slice(0, phoneCountriesLimit)
  const numbers = countries.map((country) => toE164(q, country))
  return [...new Set(numbers.filter((number) => number !== undefined))]
}

export const hasRange = (filters: TransactionFilters): boolean =>
  filters.minAmount !== undefined || filters.maxAmount !== undefined
