import type { Connector, Inquiry } from '../../../connectors/kit/connector.ts'
import { isSanctioned, isStaleVersion, suspendedIn } from '../../../kernel/db/errors.ts'
import { notFoundWindow } from '../../providers/accounts/rules.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { changeStatus } from '../../payments/lifecycle/change-status.ts'
import { screenPaymentAgain } from '../../payments/reads/list-subjects.ts'
import { readInquiry } from '../../payments/attempts/read-inquiry.ts'
import { isSettled } from '../../payments/lifecycle/rules.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import { applyLegFact, retryWhenStale, writeDecision } from './apply-leg-fact.ts'
import type { LegFact } from './plan-leg.ts'
import { exceptionTexts } from './errors.ts'
import { loadRamp } from './get-ramp.ts'
import { openLeg, routeTaken, type Leg, type LegRoute, type LoadedRamp } from './record.ts'
import { newLeg } from './prepare-leg.ts'
import { loadLegConnector } from './load-leg-connector.ts'
import type { RampDeps } from './record.ts'
import { expired, isLegInDoubt, nextLegKind, type LegDecision } from './rules.ts'
import { isSendingHeldBack } from '../../compliance/suspensions/reads.ts'
import { sanctioned } from '../../compliance/suspensions/errors.ts'
import { startCollection } from './start-collection.ts'
import { collectionOf, inquireLeg, sendLeg } from './send-leg.ts'
import { insertLeg, updateLeg, updateRamp } from './store.ts'
import { lateWindowMs, nextWatchMs, watchClosedRamp } from './watch-closed-ramp.ts'

export interface RampProgress {
  loaded: LoadedRamp
  /** When to poll next; undefined when nothing more is expected. */
  nextPollMs: number | undefined
}

const second = 1_000
const minute = 60 * second
const latePollMs = 30 * minute

/** Blocks come every few seconds. Providers send webhooks, so polling them is only the fallback. */
const pollsMs: Readonly<Record<'crypto' | 'fiat' | 'watching' | 'retry', readonly number[]>> = {
  crypto: [second, second, second, 2 * second, ...Array.from({ length: 300 }, () => 5 * second)],
  fiat: [5 * second, 15 * second, 30 * second, minute, 2 * minute, 5 * minute],
  watching: Array.from({ length: 400 }, () => minute),
  retry: [second, 5 * second, 15 * second, minute, 5 * minute],
}
/**
 * The engine's step: reads the ramp, takes the next safe action, writes the result. The engine repeats it while the
 * ramp is open, so a crash only delays it. Webhooks move a ramp by applyLegFact.
 */
export async function advanceRamp(
  deps: RampDeps,
  input: { orgId: string; paymentId: string; isScheduled?: boolean },
): Promise<RampProgress> {
  const { isScheduled = true } = input
  const loaded = await loadRamp(deps, input.orgId, input.paymentId)
  if (loaded.ramp.phase === 'closed') {
    const watched = await watchClosedRamp(deps, loaded)
    return { loaded: watched, nextPollMs: nextWatchMs(watched, await deps.db.now()) }
  }
  if (loaded.legs.length === 0) return startFirstLeg(deps, loaded)
  const leg = openLeg(loaded)
  if (!leg) return startNextLeg(deps, loaded)
  const connector = await loadLegConnector(deps, input.orgId, leg)
  // The first call may not have reached the provider, so while a suspension lasts it is asked and not called again.
  const isHeldBack = (): Promise<boolean> => isSendingHeldBack(deps, input.orgId, leg)
  if (leg.state === 'sending') {
    const leftMs = leg.deadlineAt.getTime() - (await deps.db.now()).getTime()
    if (leftMs > 0 && !connector?.cancel) return { loaded, nextPollMs: leftMs + second }
    if (connector?.isRepeatable && !(await isHeldBack())) return resend(deps, loaded, leg, connector)
    // The sender died and may have sent it first: the outcome is unknown, and it must not be sent again.
    const fact: LegFact = { kind: 'unknown', reason: 'the sender stopped before it could write the outcome' }
    const marked = await applyLegFact(deps, loaded, fact, { legNo: leg.legNo })
    return pollProvider(deps, marked, connector, isScheduled)
  }
  if (leg.state === 'unknown' && connector?.isRepeatable && !(await isHeldBack()))
    return resend(deps, loaded, leg, connector)
  return pollProvider(deps, loaded, connector, isScheduled)
}

/** The provider treats calls with the same reference as one payment, so repeating the call is safe. */
async function resend(
  deps: RampDeps,
  loaded: LoadedRamp,
  leg: Leg,
  connector: Connector,
): Promise<RampProgress> {
  const outcome = await sendLeg(deps, loaded, leg)
  // A refused repeat proves nothing about the first call, unless the connector can cancel that one.
  const isProof = outcome.kind === 'accepted' || connector.cancel !== undefined
  const fact: LegFact = isProof ? outcome : { kind: 'unknown', reason: 'a repeat of it was not accepted' }
  const after = await applyLegFact(deps, loaded, fact, { legNo: leg.legNo, poll: { notFoundCount: 0 } })
  return scheduleNextPoll(deps, after)
}

async function pollProvider(
  deps: RampDeps,
  loaded: LoadedRamp,
  connector: Connector | undefined,
  isScheduled: boolean,
): Promise<RampProgress> {
  const leg = openLeg(loaded)
  if (!leg) return scheduleNextPoll(deps, loaded)
  const now = await deps.db.now()
  const inquiry: Inquiry = connector
    ? await inquireLeg(deps, loaded, leg, connector)
    : { kind: 'unknown', reason: 'the provider has no credentials' }
  const { fact, notFoundCount } = readInquiry(inquiry, leg, {
    now,
    notFoundFinalAfterMs: notFoundWindow(connector, leg.createdAt),
    isScheduled,
  })
  const after = await applyLegFact(deps, loaded, fact, {
    legNo: leg.legNo,
    ...(isScheduled && { poll: { notFoundCount } }),
  })
  return scheduleNextPoll(deps, isUnpaid(inquiry) ? await expire(deps, after) : after)
}

/** Only the provider's explicit "pending" counts: money may be on its way, and an unanswered inquiry proves nothing. */
const isUnpaid = (inquiry: Inquiry): boolean =>
  inquiry.kind === 'accepted' && inquiry.state.state === 'pending'

/** Ends a ramp that was not paid in time. A partial payment moves to suspense; late payments are watched for. */
async function expire(deps: RampDeps, loaded: LoadedRamp): Promise<LoadedRamp> {
  return retryWhenStale(deps, loaded, async (current) => {
    const leg = openLeg(current)
    const { ramp } = current
    if (ramp.phase !== 'collecting' || leg?.kind !== 'collection') return current
    if ((await deps.db.now()) < ramp.expiresAt) return current
    const { receivedMinor } = ramp
    const decision: LegDecision = {
      state: leg.state,
      receivedMinor,
      step:
        receivedMinor > 0n
          ? { kind: 'suspend', exception: 'ramp_underpaid', failure: expired }
          : { kind: 'fail', failure: expired },
    }
    return writeDecision(deps, current, { leg, decision, fact: undefined, evidence: {} })
  })
}

/** Nothing was collected yet: the ramp waits for approval, was approved, or was rejected. */
async function startFirstLeg(deps: RampDeps, loaded: LoadedRamp): Promise<RampProgress> {
  const { status } = loaded.payment
  if (isSettled(status)) return { loaded: await close(deps, loaded), nextPollMs: undefined }
  if (status !== 'confirmed') return { loaded, nextPollMs: undefined }
  const started = await startCollection(deps, loaded)
  if (started === 'sanctioned') return { loaded: await refuse(deps, loaded), nextPollMs: second }
  if (started === 'suspended') return { loaded, nextPollMs: deps.pollSchedule.suspendedMs }
  return started === 'stale' ? { loaded, nextPollMs: second } : scheduleNextPoll(deps, started)
}

/** Nothing was collected, and nothing will be. The next step closes the ramp. */
async function refuse(deps: RampDeps, loaded: LoadedRamp): Promise<LoadedRamp> {
  return retryWhenStale(deps, loaded, async (current) => {
    const patch = { failureCode: sanctioned.code, failureMessage: sanctioned.message }
    const before = { payment: current.payment, attempts: [] }
    const { payment } = await changeStatus(deps, before, { status: 'failed', patch })
    return { ...current, payment }
  })
}

/** Writes and then sends the next leg: the delivery, or the refund of the collection. */
async function startNextLeg(deps: RampDeps, loaded: LoadedRamp): Promise<RampProgress> {
  const { payment, ramp } = loaded
  if (ramp.phase === 'watching') return { loaded: await close(deps, loaded), nextPollMs: undefined }
  const kind = nextLegKind(ramp.phase)
  if (!kind) throw new Error(`a ramp that is ${ramp.phase} must have an open leg`)
  const route = nextRoute(loaded, kind)
  if (!route) throw new Error('the ramp has no route for its next leg')
  const now = await deps.db.now()
  const leg = newLeg(loaded, kind, route, { ...deps, now })
  try {
    await screenPaymentAgain(deps, payment)
    const { payment: written } = await changeStatus(
      deps,
      { payment, attempts: [] },
      { status: payment.status, extraStatements: [insertLeg(payment.orgId, payment.paymentId, leg)] },
    )
    const prepared = { ...loaded, payment: written, legs: [...loaded.legs, leg] }
    const outcome = await sendLeg(deps, prepared, leg)
    return await scheduleNextPoll(deps, await applyLegFact(deps, prepared, outcome, { legNo: leg.legNo }))
  } catch (error) {
    if (isStaleVersion(error)) return { loaded, nextPollMs: second }
    // Money that was collected from or for a person on a sanctions list is held until people resolve it.
    if (suspendedIn(error) || isSanctioned(error))
      return { loaded, nextPollMs: deps.pollSchedule.suspendedMs }
    throw error
  }
}

/** Takes each delivery route once, then starts over with the first. */
function nextRoute(loaded: LoadedRamp, kind: 'delivery' | 'refund'): LegRoute | undefined {
  if (kind === 'refund') {
    const collection = collectionOf(loaded)
    return (
      collection && {
        provider: collection.provider,
        configId: collection.configId,
        accountId: collection.accountId,
        custody: collection.custody,
        method: collection.method,
      }
    )
  }
  const routes = routeTaken(loaded)?.deliveries ?? []
  const tried = loaded.legs.filter((leg) => leg.kind === kind).length
  return routes[tried % Math.max(routes.length, 1)]
}

async function close(deps: RampDeps, loaded: LoadedRamp): Promise<LoadedRamp> {
  return retryWhenStale(deps, loaded, async (current) => {
    const { orgId, paymentId } = current.payment
    const ramp = { ...current.ramp, phase: 'closed' as const }
    const leg = openLeg(current)
    const closedLeg = leg && { ...leg, state: 'failed' as const, outcomeCode: expired.code }
    const { payment } = await changeStatus(
      deps,
      { payment: current.payment, attempts: [] },
      {
        status: current.payment.status,
        extraStatements: [
          updateRamp(orgId, paymentId, ramp),
          ...(closedLeg ? [updateLeg(orgId, paymentId, closedLeg)] : []),
        ],
      },
    )
    const legs = current.legs.map((other) => (other.legNo === closedLeg?.legNo ? closedLeg : other))
    return { payment, ramp, legs }
  })
}

/** Polls ever more rarely; after a day without an outcome it also raises an exception for manual review. */
async function scheduleNextPoll(deps: RampDeps, loaded: LoadedRamp): Promise<RampProgress> {
  const { ramp, legs } = loaded
  const now = await deps.db.now()
  if (ramp.phase === 'closed') return { loaded, nextPollMs: nextWatchMs(loaded, now) }
  const leg = openLeg(loaded)
  if (!leg) {
    const tried = legs.filter(({ kind }) => kind === legs.at(-1)?.kind && kind !== 'collection').length
    return { loaded, nextPollMs: tried === 0 ? 0 : (pollsMs.retry[tried - 1] ?? latePollMs) }
  }
  if (ramp.phase === 'watching') {
    if (now.getTime() > ramp.expiresAt.getTime() + lateWindowMs)
      return { loaded: await close(deps, loaded), nextPollMs: undefined }
    return { loaded, nextPollMs: pollsMs.watching[leg.polls] ?? latePollMs }
  }
  if (isLegInDoubt(leg, { pollSchedule: deps.pollSchedule, now })) await raiseUnknown(deps, loaded, leg)
  const list = leg.method === 'crypto' && leg.kind !== 'whole' ? pollsMs.crypto : pollsMs.fiat
  const nextPollMs = list[leg.polls] ?? latePollMs
  const untilExpiryMs = ramp.expiresAt.getTime() - now.getTime()
  const isExpiring = ramp.phase === 'collecting' && untilExpiryMs > 0
  return { loaded, nextPollMs: isExpiring ? Math.min(nextPollMs, untilExpiryMs + second) : nextPollMs }
}

async function raiseUnknown(deps: RampDeps, { payment }: LoadedRamp, leg: Leg): Promise<void> {
  const { orgId, paymentId } = payment
  const { summary } = exceptionTexts.ramp_unknown
  const { amountMinor, currency } = leg.amount
  await deps.db.batchInOrg(orgId, [
    insertException(orgId, {
      kind: 'ramp_unknown',
      paymentId,
      provider: leg.provider,
      findingKey: `ramp_unknown ${paymentId} ${leg.legNo}`,
      summary: `${summary} Amount: ${formatMinor(amountMinor, currency)} ${currency}.`,
    }),
  ])
}
