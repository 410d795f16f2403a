import { randomUUID } from 'node:crypto'
import { monotonicMs, type Clock } from '../../../lib/clock.ts'
import { untriedRoutes, type LoadedPayment, type RouteCandidate, type StoredAttempt } from '../record.ts'
import type { Evidence } from './record.ts'

/** Longer than any connector's timeout: a sender that has written no outcome by then is dead. */
export const defaultSendDeadlineMs = 45_000

/** An attempt is stored before it is sent. Its reference is a UUIDv4 because some providers require one. */
export const newAttempt = (
  loaded: Pick<LoadedPayment, 'attempts'>,
  route: RouteCandidate,
  at: { now: Date; sendDeadlineMs: number; clock: Clock },
): StoredAttempt => ({
  attemptNo: loaded.attempts.length + 1,
  provider: route.provider,
  accountId: route.accountId,
  custody: route.custody,
  configId: route.configId,
  reference: randomUUID(),
  state: 'sending',
  stateChanges: null,
  providerRef: null,
  providerStatus: null,
  outcomeCode: null,
  outcomeMessage: null,
  cost: null,
  reachedCustomer: false,
  notFoundCount: 0,
  inquiries: 0,
  pageInquiries: 0,
  pageInquiredAt: null,
  forwardedReturns: 0,
  otpTries: 0,
  wrongOtps: 0,
  resolutionId: null,
  deadlineAt: new Date(at.now.getTime() + at.sendDeadlineMs),
  sendBeforeMs: monotonicMs(at.clock) + at.sendDeadlineMs,
  createdAt: at.now,
  updatedAt: at.now,
})

/** A payout waits for a route that a suspension holds back; the payer of a payin does not wait. */
export function nextRouteIn(
  loaded: LoadedPayment,
  { canSend, suspended }: Evidence,
): { hasNextRoute: boolean; next: RouteCandidate | undefined } {
  const routes = canSend ? untriedRoutes(loaded) : []
  const open = routes.find(({ accountId }) => suspended?.accountIds.has(accountId) !== true)
  const waits = loaded.payment.direction === 'outbound' && suspended?.isTemporary === true
  return {
    hasNextRoute: open !== undefined || (waits && routes.length > 0),
    next: suspended?.isOutflow === true ? undefined : open,
  }
}
