import { boundedMap } from '../../../lib/flow/bounded-cache.ts'
import { parseMinor } from '../../../lib/money/money.ts'
import type { Conditions, PaymentFacts, PolicyDocument, Rule, Strategy } from './record.ts'

/** The first rule that matches, and the strategy that applies. */
export function matchRule(
  document: PolicyDocument,
  payment: PaymentFacts,
): { rule: Rule | undefined; strategy: Strategy } {
  const rule = document.rules.find(({ when }) => matches(when, payment))
  return { rule, strategy: rule?.strategy ?? document.otherwise }
}

export const matches = (when: Conditions, payment: PaymentFacts): boolean =>
  (when.direction ?? payment.direction) === payment.direction &&
  isListed(when.method, payment.method) &&
  isListed(when.country, payment.country) &&
  isListed(when.currency, payment.source.currency) &&
  isListed(when.card_brand, payment.cardBrand) &&
  isListed(when.issuer_country, payment.issuerCountry) &&
  isListed(when.network, payment.network) &&
  isListed(when.customer_type, payment.metadata?.['customer_type']) &&
  isWithin(when.amount, payment) &&
  hasMetadata(when.metadata, payment) &&
  isTimeOf(when.time_of_day, payment.at)

const isListed = (list: readonly unknown[] | undefined, value: unknown): boolean =>
  list === undefined || list.includes(value)

function isWithin(range: Conditions['amount'], { source }: PaymentFacts): boolean {
  if (!range) return true
  if (range.currency !== source.currency) return false
  const { amountMinor } = source
  const minimum = range.min === undefined ? 0n : (parseMinor(String(range.min), range.currency) ?? 0n)
  const maximum = range.max === undefined ? undefined : parseMinor(String(range.max), range.currency)
  return amountMinor >= minimum && (maximum === undefined || amountMinor <= maximum)
}

function hasMetadata(wanted: Conditions['metadata'], { metadata }: PaymentFacts): boolean {
  return Object.entries(wanted ?? {}).every(([key, allowed]) => {
    const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined
    return Array.isArray(allowed) ? allowed.some((one) => one === value) : allowed === value
  })
}

function isTimeOf(range: Conditions['time_of_day'], at: Date): boolean {
  if (!range) return true
  const time = localTime(range.zone, at)
  return range.from < range.to ? range.from <= time && time < range.to : range.from <= time || time < range.to
}

const zonesLimit = 500
const formats = boundedMap<string, Intl.DateTimeFormat>(zonesLimit)

/** `HH:MM` in the zone. Building a format takes longer than using it, so formats are cached. */
function localTime(zone: string, at: Date): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  formats.set(zone, format)
  return format.format(at)
}
