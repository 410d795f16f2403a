import type { Dispatcher } from 'undici'
import type { Database } from '../../db/database.ts'
import { isStale } from '../../db/errors.ts'
import type { Vault } from '../../db/vault.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Gate } from '../../lib/gate.ts'
import { targetProblem, type TargetPolicy } from '../../lib/target.ts'
import { findEndpoint } from '../webhooks/find-endpoint.ts'
import { openSecrets } from '../webhooks/open-secrets.ts'
import { recordEndpointHealth } from '../webhooks/record-health.ts'
import { eventBody, nextDelayMs, signatureHeaders } from '../webhooks/rules.ts'
import type { Bulkheads } from './call-bulkheads.ts'
import { postEvent, type PostLimits, type PostResult } from './post-event.ts'
import { findDueDelivery, insertDeliveryAttempt, updateDelivery, type DueDelivery } from './store.ts'

export interface DeliveryDeps {
  db: Database
  vault: Vault
  clock: Clock
  targetPolicy: TargetPolicy
  targetAgent: Dispatcher
  postLimits: PostLimits
  bulkheads: Bulkheads
  /** Keeps connections free for recording: what was sent and not recorded when a worker dies is sent twice. */
  deliveryReads: Gate
  deliveryScheduleMs: readonly number[]
  /** A number in [0, 1), for jitter. */
  chance(): number
}

const minuteMs = 60_000
const staleWaitMs = 1_000
const longestPausedWaitMs = 60 * minuteMs

type Endpoint = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>

/** One attempt, or none if it is not the time. Answers when to come back; null when there is nothing left to do. */
export async function attemptDelivery(
  deps: DeliveryDeps,
  input: { orgId: string; deliveryId: string },
): Promise<number | null> {
  const { orgId, deliveryId } = input
  const { delivery, endpoint } = await deps.deliveryReads(() => read(deps, orgId, deliveryId))
  if (delivery?.status !== 'pending' || !endpoint) return null
  if (endpoint.status === 'paused') return pausedWaitMs(deps.clock.now(), endpoint)
  if (endpoint.status === 'disabled') return giveUp(deps, orgId, delivery)
  const earlyMs = (delivery.nextAttemptAt?.getTime() ?? 0) - deps.clock.now().getTime()
  if (earlyMs > 0) return earlyMs
  const entry = await deps.bulkheads.enter(orgId, delivery.webhookId)
  if ('waitMs' in entry) return entry.waitMs
  let result: PostResult | undefined
  try {
    const sent = await send(deps, endpoint, delivery)
    result = sent.result
    return await record(deps, orgId, delivery, { ...sent, endpoint })
  } catch (error) {
    if (isStale(error)) return staleWaitMs
    throw error
  } finally {
    entry.leave(result !== undefined && result.responseStatus !== null)
  }
}

const read = (
  deps: DeliveryDeps,
  orgId: string,
  deliveryId: string,
): Promise<{ delivery?: DueDelivery | undefined; endpoint?: Endpoint | undefined }> =>
  deps.db.inOrg(orgId, async (tx) => {
    const delivery = await findDueDelivery(tx, orgId, deliveryId)
    return { delivery, endpoint: delivery && (await findEndpoint(tx, orgId, delivery.webhookId)) }
  })

/** Grows with the pause, because each look adds to the engine's journal. */
function pausedWaitMs(now: Date, endpoint: Endpoint): number {
  const pausedMs = now.getTime() - endpoint.updatedAt.getTime()
  return Math.round(Math.min(Math.max(pausedMs / 10, minuteMs), longestPausedWaitMs))
}

interface Sent {
  headers: Record<string, string>
  result: PostResult
  at: Date
}

async function send(deps: DeliveryDeps, endpoint: Endpoint, delivery: DueDelivery): Promise<Sent> {
  const at = deps.clock.now()
  const body = eventBody({
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    orgId: endpoint.orgId,
    createdAt: delivery.eventCreatedAt,
    data: delivery.eventData,
  })
  const secrets = await openSecrets(deps, endpoint)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Switchyard-Webhooks/1.0',
    ...signatureHeaders(secrets, { eventId: delivery.eventId, body, attempt: delivery.attempts + 1, at }),
  }
  const problem = targetProblem(endpoint.endpointUrl, deps.targetPolicy)
  const result =
    problem === undefined
      ? await postEvent(deps, endpoint.endpointUrl, { headers, body })
      : { responseStatus: null, responseBody: null, error: `endpoint_url ${problem}`, durationMs: 0 }
  return { headers, result, at }
}

/** Any 2xx is the end; everything else waits for the schedule, and after it for a person. */
async function record(
  deps: DeliveryDeps,
  orgId: string,
  delivery: DueDelivery,
  { headers, result, at, endpoint }: Sent & { endpoint: Endpoint },
): Promise<number | null> {
  const attempts = delivery.attempts + 1
  const hasArrived =
    result.responseStatus !== null && result.responseStatus >= 200 && result.responseStatus < 300
  const delayMs = hasArrived ? undefined : nextDelayMs(deps.deliveryScheduleMs, attempts, deps.chance())
  const now = deps.clock.now()
  await deps.db.batchInOrg(orgId, [
    updateDelivery(orgId, {
      deliveryId: delivery.deliveryId,
      seenAttempts: delivery.attempts,
      status: hasArrived ? 'succeeded' : delayMs === undefined ? 'dead' : 'pending',
      attempts,
      nextAttemptAt: delayMs === undefined ? null : new Date(now.getTime() + delayMs),
      lastResponseStatus: result.responseStatus,
      at: now,
    }),
    insertDeliveryAttempt(orgId, {
      deliveryId: delivery.deliveryId,
      attemptNo: attempts,
      requestHeaders: headers,
      responseStatus: result.responseStatus,
      responseBody: result.responseBody,
      error: result.error,
      durationMs: result.durationMs,
      at,
    }),
  ])
  await recordEndpointHealth(deps, endpoint, hasArrived)
  return delayMs ?? null
}

async function giveUp(deps: DeliveryDeps, orgId: string, delivery: DueDelivery): Promise<null> {
  const now = deps.clock.now()
  await deps.db
    .batchInOrg(orgId, [
      updateDelivery(orgId, {
        deliveryId: delivery.deliveryId,
        seenAttempts: delivery.attempts,
        status: 'dead',
        attempts: delivery.attempts,
        nextAttemptAt: null,
        lastResponseStatus: delivery.lastResponseStatus,
        at: now,
      }),
    ])
    .catch((error: unknown) => {
      if (!isStale(error)) throw error
    })
  return null
}
