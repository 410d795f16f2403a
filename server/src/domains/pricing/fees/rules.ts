import type { Money } from '../../../lib/money/money.ts'
import type { Chargeable, FeeSchedule } from './record.ts'

const millionth = 1_000_000n

/** Rounded half up to the minor unit, and never negative or above the amount itself. */
export function feeOf(
  terms: Pick<FeeSchedule, 'rateMillionths' | 'fixedMinor' | 'minimumMinor' | 'maximumMinor'>,
  { amountMinor }: Money,
): bigint {
  const share = (amountMinor * BigInt(terms.rateMillionths) + millionth / 2n) / millionth
  const atLeast = larger(share + terms.fixedMinor, terms.minimumMinor)
  const atMost = terms.maximumMinor === null ? atLeast : smaller(atLeast, terms.maximumMinor)
  return smaller(atMost, amountMinor)
}

/** One schedule applies: the organisation's before the general one, then the most specific, then the newest. */
export function chooseSchedule(
  schedules: readonly FeeSchedule[],
  payment: Chargeable,
): FeeSchedule | undefined {
  return schedules.filter((schedule) => matches(schedule, payment)).sort(byPrecedence)[0]
}

const matches = (schedule: FeeSchedule, { direction, method, country, amount }: Chargeable): boolean =>
  schedule.retiredAt === null &&
  (schedule.direction ?? direction) === direction &&
  (schedule.method ?? method) === method &&
  (schedule.country ?? country) === country &&
  (schedule.currency ?? amount.currency) === amount.currency

function byPrecedence(a: FeeSchedule, b: FeeSchedule): number {
  if ((a.orgId === null) !== (b.orgId === null)) return a.orgId === null ? 1 : -1
  return (
    conditionsOf(b) - conditionsOf(a) ||
    b.createdAt.getTime() - a.createdAt.getTime() ||
    (a.scheduleId < b.scheduleId ? 1 : -1)
  )
}

const conditionsOf = ({ direction, method, country, currency }: FeeSchedule): number =>
  [direction, method, country, currency].filter((condition) => condition !== null).length

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
