import type { Connector, Inquiry } from '../../connectors/kit/connector.ts'
import { isStale } from '../../db/errors.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import { changeStatus } from '../payments/change-status.ts'
import { readInquiry } from '../payments/attempts/read-inquiry.ts'
import { formatMinor } from '../../lib/money.ts'
import { applyLegFact, retried, writeDecision, type LegFact } from './apply-leg-fact.ts'
import { exceptionTexts } from './errors.ts'
import { loadRamp } from './get-ramp.ts'
import { openLeg, routeTaken, type Leg, type LegRoute, type LoadedRamp } from './record.ts'
import { newLeg } from './prepare-leg.ts'
import { loadLegConnector, type RampDeps } from './ramp-deps.ts'
import { expired, type LegDecision } from './rules.ts'
import { collectionOf, inquireLeg, sendLeg } from './send-leg.ts'
import { insertLeg, updateLeg, updateRamp } from './store.ts'

export interface RampProgress {
  loaded: LoadedRamp
  /** When to look again; undefined when nothing more is expected. */
  nextPollMs: number | undefined
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const latePollMs = 30 * minute

/** Blocks come every few seconds; providers send webhooks, and looks are the net under them. */
const pollsMs: Readonly<Record<'crypto' | 'fiat' | 'watching' | 'retry', readonly number[]>> = {
  crypto: [second, second, second, 2 * second, ...Array.from({ length: 300 }, () => 5 * second)],
  fiat: [5 * second, 15 * second, 30 * second, minute, 2 * minute, 5 * minute],
  watching: Array.from({ length: 400 }, () => minute),
  retry: [second, 5 * second, 15 * second, minute, 5 * minute],
}
const tellAfterMs = 24 * hour
/** How long after its end a ramp's address or account is still looked at. */
export const lateWindowMs = 7 * 24 * hour

/**
 * The only way a ramp moves by itself: looks at the record, takes the next safe step, writes the result. The
 * engine calls it as long as the ramp is open, so a crash anywhere is only a later call.
 */
export async function advanceRamp(
  deps: RampDeps,
  input: { orgId: string; paymentId: string },
): Promise<RampProgress> {
  const loaded = await loadRamp(deps, input.orgId, input.paymentId)
  if (loaded.ramp.phase === 'closed') return { loaded, nextPollMs: undefined }
  const leg = openLeg(loaded)
  if (!leg) return startNext(deps, loaded)
  const connector = await loadLegConnector(deps, input.orgId, leg.provider)
  if (leg.state === 'sending') {
    const leftMs = leg.deadlineAt.getTime() - deps.clock.now().getTime()
    if (leftMs > 0 && !connector?.cancel) return { loaded, nextPollMs: leftMs + second }
    if (connector?.isRepeatable) return resend(deps, loaded, leg, connector)
    // Whoever was sending is gone, and may have sent: found `sending` means unknown, never "send again".
    const fact: LegFact = { kind: 'unknown', reason: 'the sender stopped before it could write the outcome' }
    const marked = await applyLegFact(deps, loaded, fact, { legNo: leg.legNo })
    return pollProvider(deps, marked, connector)
  }
  if (leg.state === 'unknown' && connector?.isRepeatable) return resend(deps, loaded, leg, connector)
  return pollProvider(deps, loaded, connector)
}

/** Under the same reference it is the same payment, however often it is sent. */
async function resend(
  deps: RampDeps,
  loaded: LoadedRamp,
  leg: Leg,
  connector: Connector,
): Promise<RampProgress> {
  const outcome = await sendLeg(deps, loaded, leg)
  // A repeat that is not taken says nothing about the call before it, unless that one could be canceled.
  const isProof = outcome.kind === 'accepted' || connector.cancel !== undefined
  const fact: LegFact = isProof ? outcome : { kind: 'unknown', reason: 'a repeat of it was not taken' }
  const after = await applyLegFact(deps, loaded, fact, { legNo: leg.legNo, look: { notFoundCount: 0 } })
  return settle(deps, after)
}

async function pollProvider(
  deps: RampDeps,
  loaded: LoadedRamp,
  connector: Connector | undefined,
): Promise<RampProgress> {
  const leg = openLeg(loaded)
  if (!leg) return settle(deps, loaded)
  const inquiry: Inquiry = connector
    ? await inquireLeg(deps, loaded, leg, connector)
    : { kind: 'unknown', reason: 'the provider has no credentials' }
  const { fact, notFoundCount } = readInquiry(inquiry, leg, {
    now: deps.clock.now(),
    notFoundFinalAfterMs: connector?.notFoundFinalAfterMs,
  })
  const after = await applyLegFact(deps, loaded, fact, { legNo: leg.legNo, look: { notFoundCount } })
  return settle(deps, isUnpaid(inquiry) ? await expire(deps, after) : after)
}

/** Only a provider that has just said so: money that is on its way, or a question without an answer, is no "no". */
const isUnpaid = (inquiry: Inquiry): boolean =>
  inquiry.kind === 'accepted' && inquiry.state.state === 'pending'

/** Not paid in time. What arrived of it is kept apart; what comes later is watched for. */
async function expire(deps: RampDeps, loaded: LoadedRamp): Promise<LoadedRamp> {
  return retried(deps, loaded, async (current) => {
    const leg = openLeg(current)
    const { ramp } = current
    if (ramp.phase !== 'collecting' || leg?.kind !== 'collection' || deps.clock.now() < ramp.expiresAt)
      return current
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

/** The next leg is written, then sent: the settlement of what was collected, or its way back. */
async function startNext(deps: RampDeps, loaded: LoadedRamp): Promise<RampProgress> {
  const { payment, ramp } = loaded
  if (ramp.phase === 'watching') return { loaded: await close(deps, loaded), nextPollMs: undefined }
  const kind = ramp.phase === 'refunding' ? 'refund' : 'settlement'
  const route = nextRoute(loaded, kind)
  if (!route) throw new Error('a ramp has no way to go on')
  const now = deps.clock.now()
  const leg = newLeg(loaded, kind, route, { ...deps, now })
  try {
    const { payment: written } = await changeStatus(
      deps,
      { payment, attempts: [] },
      { status: payment.status, extraStatements: [insertLeg(payment.orgId, payment.paymentId, leg)] },
    )
    const prepared = { ...loaded, payment: written, legs: [...loaded.legs, leg] }
    const outcome = await sendLeg(deps, prepared, leg)
    return await settle(deps, await applyLegFact(deps, prepared, outcome, { legNo: leg.legNo }))
  } catch (error) {
    if (isStale(error)) return { loaded, nextPollMs: second }
    throw error
  }
}

/** Those that were not tried come first; then the same ones in turn. */
function nextRoute(loaded: LoadedRamp, kind: 'settlement' | 'refund'): LegRoute | undefined {
  if (kind === 'refund') {
    const collection = collectionOf(loaded)
    return (
      collection && {
        provider: collection.provider,
        configId: collection.configId,
        method: collection.method,
      }
    )
  }
  const routes = routeTaken(loaded)?.settlements ?? []
  const tried = loaded.legs.filter((leg) => leg.kind === kind).length
  return routes[tried % Math.max(routes.length, 1)]
}

async function close(deps: RampDeps, loaded: LoadedRamp): Promise<LoadedRamp> {
  return retried(deps, loaded, async (current) => {
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

/** When to look again, and whom to tell that looking has not helped so far. */
async function settle(deps: RampDeps, loaded: LoadedRamp): Promise<RampProgress> {
  const { ramp, legs } = loaded
  const now = deps.clock.now().getTime()
  if (ramp.phase === 'closed') return { loaded, nextPollMs: undefined }
  const leg = openLeg(loaded)
  if (!leg) {
    const tried = legs.filter(({ kind }) => kind === legs.at(-1)?.kind && kind !== 'collection').length
    return { loaded, nextPollMs: tried === 0 ? 0 : (pollsMs.retry[tried - 1] ?? latePollMs) }
  }
  if (ramp.phase === 'watching') {
    if (now > ramp.expiresAt.getTime() + lateWindowMs)
      return { loaded: await close(deps, loaded), nextPollMs: undefined }
    return { loaded, nextPollMs: pollsMs.watching[leg.looks] ?? latePollMs }
  }
  if (now - leg.createdAt.getTime() > tellAfterMs) await tell(deps, loaded, leg)
  const list = leg.method === 'crypto' && leg.kind !== 'whole' ? pollsMs.crypto : pollsMs.fiat
  const nextPollMs = list[leg.looks] ?? latePollMs
  const untilExpiryMs = ramp.expiresAt.getTime() - now
  const isExpiring = ramp.phase === 'collecting' && untilExpiryMs > 0
  return { loaded, nextPollMs: isExpiring ? Math.min(nextPollMs, untilExpiryMs + second) : nextPollMs }
}

async function tell(deps: RampDeps, { payment }: LoadedRamp, leg: Leg): Promise<void> {
  const { orgId, paymentId } = payment
  const { summary, suggestedAction } = exceptionTexts.ramp_unknown
  const { amountMinor, currency } = leg.amount
  await deps.db.batchInOrg(orgId, [
    insertException(orgId, {
      kind: 'ramp_unknown',
      paymentId,
      provider: leg.provider,
      findingKey: `ramp_unknown ${paymentId} ${leg.legNo}`,
      summary: `${summary} Amount: ${formatMinor(amountMinor, currency)} ${currency}.`,
      suggestedAction,
    }),
  ])
}
