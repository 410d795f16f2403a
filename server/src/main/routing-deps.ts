import type { Database } from '../kernel/db/database.ts'
import type { PolicyDeps } from '../domains/payments/initiation/apply-policy.ts'
import { createCorridorSource, type CorridorSource } from '../domains/providers/configs/list-corridor.ts'
import { createRoutingPolicySource } from '../domains/routing/policies/load-policy.ts'
import { createRoutingMemory } from '../domains/routing/policies/track-routing.ts'
import { createSignalCache, type SignalCache } from '../domains/routing/signals/current/track-signals.ts'
import { noCardBins, readCardBins, type CardBins } from '../lib/instruments/card-bins.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Config } from './config.ts'

/** What a route is chosen by. */
export interface RouteSources extends PolicyDeps {
  corridors: CorridorSource
  cardBins: CardBins
  routingSignals: SignalCache
}

export const createRouteSources = (
  { db, clock, log }: { db: Database; clock: Clock; log: Log },
  { CARD_BINS: bins }: Pick<Config, 'CARD_BINS'>,
): RouteSources => ({
  cardBins: bins === undefined ? noCardBins : readCardBins(bins),
  corridors: createCorridorSource(db),
  routingPolicies: createRoutingPolicySource(db),
  routingSignals: createSignalCache({ db, clock, log }),
  routingMemory: createRoutingMemory(),
})
