import { foldWeights } from '@switchyard/server/domains/routing/signals/current/update-weights.ts'
import type { Bucket, Signal } from '@switchyard/server/domains/routing/signals/record.ts'
import {
  before,
  bucketMs,
  decay,
  floorTo,
  latencySlots,
  toSignal,
} from '@switchyard/server/domains/routing/signals/rules.ts'
import { createRandom, type Random } from './random.ts'

/** Three providers whose success rates change every hour, and payments that are known to succeed or not at each. */
export interface World {
  accounts: readonly Account[]
  startsAt: Date
  hours: number
  /** By account and hour: the truth, which no strategy sees. */
  rates: readonly (readonly number[])[]
  payments: readonly WorldPayment[]
}

interface Account {
  provider: string
  accountId: string
}

export interface WorldPayment {
  seed: string
  at: Date
  /** For each account: whether it would succeed there, and when its outcome would be known. */
  succeeds: readonly boolean[]
  endedAt: Date
}

export interface WorldOptions {
  seed: number
  payments: number
  hours: number
}

const hourMs = 60 * 60_000
const worst = 0.55
const best = 0.97
const longestMs = 8_000
const startsAt = new Date('2026-03-01T00:00:00.000Z')
const accounts: readonly Account[] = [
  { provider: 'paystack', accountId: '0198c0de-7a1b-7c3d-9e4f-00000000000a' },
  { provider: 'flutterwave', accountId: '0198c0de-7a1b-7c3d-9e4f-00000000000b' },
  { provider: 'adyen', accountId: '0198c0de-7a1b-7c3d-9e4f-00000000000c' },
]

export function createWorld({ seed, payments, hours }: WorldOptions): World {
  const random = createRandom(seed)
  const rates = accounts.map(() => Array.from({ length: hours }, () => worst + random() * (best - worst)))
  const betweenMs = (hours * hourMs) / payments
  return {
    accounts,
    startsAt,
    hours,
    rates,
    payments: Array.from({ length: payments }, (_none, index) =>
      createPayment(random, { index, seed, rates, at: new Date(startsAt.getTime() + index * betweenMs) }),
    ),
  }
}

function createPayment(
  random: Random,
  { index, seed, rates, at }: { index: number; seed: number; rates: World['rates']; at: Date },
): WorldPayment {
  const hour = Math.floor((at.getTime() - startsAt.getTime()) / hourMs)
  // One draw for all accounts: a payment that succeeds at a bad provider succeeds at a better one too.
  const draw = random()
  return {
    seed: `payment ${seed} ${index}`,
    at,
    succeeds: rates.map((ofAccount) => draw < (ofAccount[hour] ?? 0)),
    endedAt: new Date(at.getTime() + Math.round(random() * longestMs)),
  }
}

/** The fold of the workers, over a world's own time instead of a database. */
interface Fold {
  /** Counts what has ended by then. */
  advance(now: Date): void
  ended(accountId: string, outcome: { at: Date; succeeded: boolean }): void
  signalOf(accountId: string): Signal | undefined
}

const lateCommitMs = 120_000
const latencySlot = 4

export function createFold(): Fold {
  const stored = new Map<string, ReturnType<typeof foldWeights>>()
  const buckets = new Map<string, Bucket>()
  let pending: { accountId: string; at: Date; succeeded: boolean }[] = []
  let settledUntil = new Date(0)
  let now = new Date(0)
  return {
    ended: (accountId, outcome) => void pending.push({ accountId, ...outcome }),
    advance(to) {
      now = to
      for (const outcome of pending) if (outcome.at <= now) count(buckets, outcome)
      pending = pending.filter(({ at }) => at > now)
      const nextSettled = floorTo(before(now, lateCommitMs), bucketMs)
      for (const [accountId, ofAccount] of Map.groupBy(buckets.values(), (one) => one.accountId))
        stored.set(
          accountId,
          foldWeights(stored.get(accountId), ofAccount, { settledUntil: nextSettled, now }),
        )
      for (const [key, { bucketStart }] of buckets) if (bucketStart < nextSettled) buckets.delete(key)
      settledUntil = nextSettled
      if (settledUntil > now) throw new Error('the future cannot be settled')
    },
    signalOf(accountId) {
      const weights = stored.get(accountId)
      if (!weights) return undefined
      const aged = decay(weights.current, now.getTime() - weights.updatedAt.getTime())
      return toSignal(aged, { health: 'healthy', since: null })
    },
  }
}

function count(
  buckets: Map<string, Bucket>,
  { accountId, at, succeeded }: { accountId: string; at: Date; succeeded: boolean },
): void {
  const bucketStart = floorTo(at, bucketMs)
  const key = `${accountId} ${bucketStart.getTime()}`
  const known = buckets.get(key)
  buckets.set(key, {
    orgId: '',
    accountId,
    direction: 'payin',
    method: 'card',
    country: 'NG',
    cardBrand: null,
    provider: '',
    bucketStart,
    answered: (known?.answered ?? 0) + 1,
    faults: 0,
    succeeded: (known?.succeeded ?? 0) + (succeeded ? 1 : 0),
    customerDeclines: 0,
    providerDeclines: (known?.providerDeclines ?? 0) + (succeeded ? 0 : 1),
    failed: 0,
    notSent: 0,
    unknown: 0,
    costShare: 0,
    costed: 0,
    latencies: Array.from({ length: latencySlots }, (_none, slot) => (slot === latencySlot ? 1 : 0)),
  })
}
