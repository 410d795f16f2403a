/** What attempts are summed up by: one provider account in one corridor, for cards by brand. */
export interface SignalKey {
  accountId: string
  direction: 'payin' | 'payout'
  method: string
  country: string
  /** As stored with the payment, such as `visa`; null for other methods and for unknown brands. */
  cardBrand: string | null
}

/** What the recent attempts of an account in a corridor show. Weights decay with age, so they are no whole numbers. */
export interface Signal {
  successWeight: number
  /** The successes, and the failures that are the provider's or the issuer's; a customer's mistake does not count. */
  totalWeight: number
  /** Attempts whose outcome was unknown for a while. They also count in `totalWeight` once they have an outcome. */
  unknownWeight: number
  /** From the start of an attempt to its outcome. */
  medianMs: number | null
  /** What the provider charged, as a share of the amounts; null if it does not report them. */
  costShare: number | null
  health: 'healthy' | 'degraded' | 'down'
  /** When the health changed last. */
  since: Date | null
}

/**
 * The signals of all processes, from a cache of a second. Reading takes no time and never fails: a process that could
 * not refresh its cache answers from the last one.
 */
export interface RoutingSignals {
  /** As the organisation is to see it: by its own attempts if they are enough, else by those of all. */
  read(orgId: string, key: SignalKey): Signal | undefined
  isInMaintenance(accountId: string, at: Date): boolean
  /** How many payments the organisation has sent to an account to learn about it, on the UTC day of `at`. */
  explorationsOn(orgId: string, at: Date): number
}

/** Knows nothing: every account counts as healthy and untried. */
export const noSignals: RoutingSignals = {
  read: () => undefined,
  isInMaintenance: () => false,
  explorationsOn: () => 0,
}

/** What happened to one organisation at one key within a span of time. */
export interface Counts {
  /** Attempts whose first answer came in the span: an acceptance, a refusal, or none in time. */
  answered: number
  /** Those that the provider did not process: not reachable, no answer, or a technical failure. */
  faults: number
  succeeded: number
  /** Refusals because of the customer or their account, such as a wrong PIN. */
  customerDeclines: number
  /** Refusals by the issuer, the network or the provider. */
  providerDeclines: number
  /** Technical failures at the provider. */
  failed: number
  notSent: number
  /** Attempts whose outcome was unknown for a while. */
  unknown: number
  /** The sum of the shares of the amounts that the provider charged, and of how many attempts. */
  costShare: number
  costed: number
  /** Ended attempts by the time that they took, in the slots of `latencyBoundsMs`. */
  latencies: readonly number[]
}

export interface Bucket extends SignalKey, Counts {
  orgId: string
  provider: string
  bucketStart: Date
}

/** Decayed sums as of a moment. */
export interface Weights {
  success: number
  total: number
  unknown: number
  costShare: number
  costed: number
  latencies: readonly number[]
}

/** An account in a corridor, over all card brands: the unit whose health is judged. */
export type Corridor = Omit<SignalKey, 'cardBrand'>

export interface CorridorHealth {
  health: Signal['health']
  since: Date
  /** A route that is down is tried by no payment before this time; null for the others. */
  restUntil: Date | null
}
