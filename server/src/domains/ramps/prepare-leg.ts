import { randomUUID } from 'node:crypto'
import type { Leg, LegKind, LegRoute, LoadedRamp, Ramp } from './record.ts'
import { collectedAsset, settledAsset } from './record.ts'

/** What each kind of leg moves. A provider that does both legs is told the fiat. */
export function amountOf(kind: LegKind, ramp: Ramp): Leg['amount'] {
  if (kind === 'whole') return ramp.fiat
  return kind === 'settlement' ? settledAsset(ramp) : collectedAsset(ramp)
}

/** Written before anything is sent, under a reference of its own. */
export const newLeg = (
  { ramp, legs }: Pick<LoadedRamp, 'ramp' | 'legs'>,
  kind: LegKind,
  route: LegRoute,
  at: { now: Date; sendDeadlineMs: number },
): Leg => ({
  legNo: legs.length + 1,
  kind,
  provider: route.provider,
  configId: route.configId,
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
  looks: 0,
  deadlineAt: new Date(at.now.getTime() + at.sendDeadlineMs),
  createdAt: at.now,
  updatedAt: at.now,
})
