import type { PolicyDocument } from '../policies/record.ts'
import type { AccountShift, CorridorResult, Performance, SimulationResult } from './record.ts'
import type { AccountTally, CorridorTally, OutcomeCount } from './replay-payments.ts'
import {
  addMoments,
  meanOf,
  mixedRate,
  noMoments,
  rateOfHour,
  wilson,
  type Moments,
  type MovedPayments,
} from './rules.ts'

interface Sums {
  observed: OutcomeCount
  stayed: OutcomeCount
  moved: MovedPayments[]
  costsBefore: Moments
  costsAfter: Moments
  withoutData: number
}

/** What was measured beside what the policy would have led to. */
export function compareOutcomes(
  corridors: readonly CorridorTally[],
  read: { document: PolicyDocument; skipped: number; isTruncated: boolean },
): SimulationResult {
  const summed = corridors.map((corridor) => ({ corridor, sums: sumsOf(corridor) }))
  const total = summed.map(({ sums }) => sums).reduce(addSums, noSums)
  const results = summed
    .map(({ corridor, sums }) => toResult(corridor, sums))
    .toSorted((a, b) => b.payments - a.payments)
  const countOf = (value: (one: CorridorResult) => number): number =>
    results.reduce((sum, one) => sum + value(one), 0)
  const payments = countOf((one) => one.payments)
  return {
    payments,
    skipped: read.skipped,
    moved: countOf(({ moved }) => moved),
    withoutData: total.withoutData,
    isTruncated: read.isTruncated,
    before: measured(total),
    after: expected(total),
    corridors: results,
    notes: notesOn(results, { ...read, withoutData: total.withoutData, payments }),
  }
}

const noSums: Sums = {
  observed: { succeeded: 0, total: 0 },
  stayed: { succeeded: 0, total: 0 },
  moved: [],
  costsBefore: noMoments,
  costsAfter: noMoments,
  withoutData: 0,
}

const addOutcomes = (a: OutcomeCount, b: OutcomeCount): OutcomeCount => ({
  succeeded: a.succeeded + b.succeeded,
  total: a.total + b.total,
})

const addSums = (a: Sums, b: Sums): Sums => ({
  observed: addOutcomes(a.observed, b.observed),
  stayed: addOutcomes(a.stayed, b.stayed),
  moved: [...a.moved, ...b.moved],
  costsBefore: addMoments(a.costsBefore, b.costsBefore),
  costsAfter: addMoments(a.costsAfter, b.costsAfter),
  withoutData: a.withoutData + b.withoutData,
})

const sumsOf = ({ accounts }: CorridorTally): Sums =>
  [...accounts.values()].map(sumsOfAccount).reduce(addSums, noSums)

function sumsOfAccount(account: AccountTally): Sums {
  const payments = [...account.movedByHour.values()].reduce((sum, count) => sum + count, 0)
  const hasData = account.observed.total > 0
  return {
    observed: account.observed,
    stayed: account.stayed,
    moved:
      hasData && payments > 0
        ? [{ payments, rate: movedRate(account), observed: account.observed.total }]
        : [],
    costsBefore: addMoments(account.costsBefore, likeCharged(account, account.unpricedBefore)),
    costsAfter: addMoments(account.costsAfter, likeCharged(account, account.unpricedAfter)),
    withoutData: hasData ? 0 : payments,
  }
}

/** Rates change over time, so each moved payment is expected to go as those of its hour did. */
function movedRate({ movedByHour, hours, observed }: AccountTally): number {
  let sum = 0
  let payments = 0
  for (const [hour, count] of movedByHour) {
    sum += count * rateOfHour(hours.get(hour), observed)
    payments += count
  }
  return sum / payments
}

/** Payments without terms are expected to cost what the provider charged for others here, if it reports costs. */
function likeCharged({ charged }: AccountTally, payments: number): Moments {
  if (charged.count === 0 || payments === 0) return noMoments
  const factor = payments / charged.count
  return { count: payments, sum: charged.sum * factor, squares: charged.squares * factor }
}

const measured = ({ observed, costsBefore }: Sums): Performance => ({
  successRate: wilson(observed.succeeded, observed.total),
  costShare: meanOf(costsBefore),
  costKnownFor: costsBefore.count,
})

const expected = ({ stayed, moved, costsAfter }: Sums): Performance => ({
  successRate: mixedRate(stayed, moved),
  costShare: meanOf(costsAfter),
  costKnownFor: costsAfter.count,
})

const toResult = (corridor: CorridorTally, sums: Sums): CorridorResult => ({
  direction: corridor.direction,
  method: corridor.method,
  country: corridor.country,
  cardBrand: corridor.cardBrand,
  payments: corridor.payments,
  moved: corridor.moved,
  withoutData: sums.withoutData,
  before: measured(sums),
  after: expected(sums),
  accounts: [...corridor.accounts]
    .map(([accountId, account]) => toShift(accountId, account))
    .toSorted((a, b) => b.paymentsAfter - a.paymentsAfter),
})

const toShift = (accountId: string, { provider, observed, ...account }: AccountTally): AccountShift => ({
  accountId,
  provider,
  paymentsBefore: account.paymentsBefore,
  paymentsAfter: account.paymentsAfter,
  observed: observed.total,
  successRate: wilson(observed.succeeded, observed.total),
})

const fewObservations = 100

function notesOn(
  corridors: readonly CorridorResult[],
  read: {
    document: PolicyDocument
    skipped: number
    isTruncated: boolean
    withoutData: number
    payments: number
  },
): string[] {
  const accounts = corridors.flatMap((corridor) => corridor.accounts)
  const thin = accounts.filter(
    ({ paymentsAfter, paymentsBefore, observed }) =>
      paymentsAfter > paymentsBefore && observed > 0 && observed < fewObservations,
  )
  const asksNetwork = read.document.rules.some(({ when }) => when.network !== undefined)
  return [
    'Rates are those of first attempts; declines that are the customer’s do not count. Fallbacks to a second account are not simulated.',
    ...(read.withoutData > 0
      ? [
          `${read.withoutData} payments would have gone to an account that has no data in their corridor. The expected rate leaves them out.`,
        ]
      : []),
    ...(thin.length > 0
      ? [
          `${thin.length} accounts that would get more payments were seen fewer than ${fewObservations} times in their corridor.`,
        ]
      : []),
    ...(asksNetwork
      ? ['Networks are sealed with the customer’s details, so no rule about them matched.']
      : []),
    ...(read.skipped > 0
      ? [`${read.skipped} payments were left out, because they were never sent or have no stored candidates.`]
      : []),
    ...(read.isTruncated ? ['There are more payments than one simulation reads; the oldest were read.'] : []),
  ]
}
