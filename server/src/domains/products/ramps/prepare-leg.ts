import { randomUUID } from 'node:crypto'
import { monotonicMs, type Clock } from '../../../lib/clock.ts'
import {
  collectedAsset,
  deliveredAsset,
  type Leg,
  type LegKind,
  type LegRoute,
  type LoadedRamp,
  type Ramp,
} from './record.ts'

/** The amount that each kind of leg moves. A provider that carries both legs gets the fiat amount. */
function amountOf(kind: LegKind, ramp: Ramp): Leg['amount'] {
  if (kind === 'whole') return ramp.fiat
  return kind === 'delivery' ? deliveredAsset(ramp) : collectedAsset(ramp)
}

/** A leg is stored before it is sent, under its own reference. */
export const newLeg = (
  { ramp, legs }: Pick<LoadedRamp, 'ramp' | 'legs'>,
  kind: LegKind,
  route: LegRoute,
  at: { now: Date; sendDeadlineMs: number; clock: Clock },
): Leg => ({
  legNo: legs.length + 1,
  kind,
  provider: route.provider,
  configId: route.configId,
  accountId: route.accountId,
  custody: route.custody,
  networkCode: route.networkCode ?? null,
  method: route.method,
  amount: amountOf(kind, ramp),
  reference: randomUUID(),
  state: 'sending',
  providerRef: null,
  providerStatus: null,
  outcomeCode: null,
  outcomeMessage: null,
  reachedCustomer: false,
  notFoundCount: 0,
  polls: 0,
  deadlineAt: new Date(at.now.getTime() + at.sendDeadlineMs),
  sendBeforeMs: monotonicMs(at.clock) + at.sendDeadlineMs,
  createdAt: at.now,
  updatedAt: at.now,
})
