import { createHash } from 'node:crypto'
import { parseMinor, type Money } from '../../../lib/money/money.ts'
import { feeOf } from '../../pricing/fees/rules.ts'
import type { Signal } from '../signals/record.ts'
import type { CostTerms, PaymentFacts, RouteName } from './record.ts'

export interface Route {
  provider: string
  accountId: string
}

export const isNamed = (name: RouteName, route: Route): boolean =>
  name.account === undefined ? name.provider === route.provider : name.account === route.accountId

/** Unique among names that differ. */
export const labelOf = ({ account, provider = '' }: RouteName): string => account ?? provider

/** The named accounts in the given order, then the others in their own order. */
export function preferNamed<T extends Route>(routes: readonly T[], names: readonly RouteName[] = []): T[] {
  const positionOf = (route: T): number => {
    const position = names.findIndex((name) => isNamed(name, route))
    return position === -1 ? names.length : position
  }
  return sortBy(routes, positionOf)
}

/** Ascending; equal ones keep their order. */
export const sortBy = <T>(items: readonly T[], keyOf: (item: T) => number): T[] =>
  items
    .map((item) => ({ item, key: keyOf(item) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)

const drawBytes = 6

/** A number above 0 and below 1 that depends on nothing but its inputs. */
export function draw(seed: string, purpose: string): number {
  const hash = createHash('sha256').update(`${purpose}\n${seed}`).digest()
  return (hash.readUIntBE(0, drawBytes) + 0.5) / 2 ** (8 * drawBytes)
}

/** Behaves like this many attempts at the average of the candidates, so that a few attempts decide little. */
const priorWeight = 20
/** The average before anything is known. */
const startingPoint = { successWeight: 4, totalWeight: 5 }

type Weights = Pick<Signal, 'successWeight' | 'totalWeight'>

/** The expected success rates. An account without attempts is expected to be like the others. */
export function successRates(known: readonly (Weights | undefined)[]): number[] {
  const sum = known.reduce<Weights>(
    (total, one) => ({
      successWeight: total.successWeight + (one?.successWeight ?? 0),
      totalWeight: total.totalWeight + (one?.totalWeight ?? 0),
    }),
    startingPoint,
  )
  const average = sum.successWeight / sum.totalWeight
  return known.map(
    (one) => ((one?.successWeight ?? 0) + priorWeight * average) / ((one?.totalWeight ?? 0) + priorWeight),
  )
}

const millionthsPerPercent = 10_000

/** What the provider is expected to charge: by contract if the policy has the terms, else as it charged lately. */
export function expectedCost(
  terms: readonly CostTerms[],
  route: Route,
  payment: PaymentFacts,
  signal: Signal | undefined,
): bigint | undefined {
  const { carried } = payment
  const contract = terms.find((one) => isNamed(one, route) && isCostOf(one, payment))
  if (contract) return feeOf(toFeeTerms(contract, carried), carried)
  if (signal?.costShare === undefined || signal.costShare === null) return undefined
  return feeOf({ ...free, rateMillionths: Math.round(signal.costShare * 1_000_000) }, carried)
}

const free = { rateMillionths: 0, fixedMinor: 0n, minimumMinor: 0n, maximumMinor: null }

const isCostOf = (terms: CostTerms, { direction, method, country, carried }: PaymentFacts): boolean =>
  (terms.direction ?? direction) === direction &&
  (terms.method ?? [method]).includes(method) &&
  (terms.country ?? [country]).includes(country) &&
  (terms.currency ?? carried.currency) === carried.currency

function toFeeTerms(terms: CostTerms, { currency }: Money): Parameters<typeof feeOf>[0] {
  const minor = (amount: number | undefined): bigint | undefined =>
    amount === undefined ? undefined : parseMinor(String(amount), currency)
  return {
    rateMillionths: Math.round(terms.percent * millionthsPerPercent),
    fixedMinor: minor(terms.fixed) ?? 0n,
    minimumMinor: minor(terms.minimum) ?? 0n,
    maximumMinor: minor(terms.maximum) ?? null,
  }
}
