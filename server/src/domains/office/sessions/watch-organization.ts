import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../kernel/db/database.ts'
import { effectivePermissions, type Caller, type Permission } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { limitConcurrency } from '../../../lib/flow/limit-concurrency.ts'
import type { Log } from '../../../lib/log.ts'
import { listChangedExceptions } from '../../people/exceptions/reads.ts'
import { listRecentEvents } from '../../events/webhooks/reads.ts'
import { createHintQueue, type HintQueue } from './queue-hints.ts'
import type { Hint } from './record.ts'
import { isOver, mayReceive } from './rules.ts'
import { selectLiveSessions } from './store.ts'

interface StreamDeps {
  /** The pool of the pages, so that no number of open dashboards makes a payment wait for a connection. */
  db: Database
  clock: Clock
  log: Log
}

/** The streams of this process. */
export interface Streams {
  /** Undefined when too many streams are open; the page polls then. */
  open(caller: Caller, sessionId: string): HintQueue | undefined
  stop(): void
}

interface Stream {
  sessionId: string
  userId: string
  queue: HintQueue
}

interface WatchedOrganization {
  streams: Set<Stream>
  /** Hints of the last seconds, which have been sent. */
  seen: Map<string, number>
}

const streamsLimit = 1_000
const streamsPerUser = 10
/** Organisations that read at the same time; the pages that share these connections keep the others. */
const readsLimit = 2
const pollEveryMs = 300
const streamLifetimeMs = 110_000
/** A transaction may commit after a later one, so every read covers the last seconds again. */
const overlapMs = 10_000
const hintsLimit = 500

/**
 * One read at a time serves all streams of an organisation, however many people watch. Each stream ends after a while
 * and the page returns, so that a process that shuts down holds no connection for long.
 */
export function createStreams(deps: StreamDeps, lifetimeMs = streamLifetimeMs): Streams {
  const organizations = new Map<string, WatchedOrganization>()
  // Each organisation has one read in progress or waiting.
  const read = limitConcurrency(readsLimit)
  let isStopped = false
  const all = (): Stream[] => [...organizations.values()].flatMap(({ streams }) => [...streams])

  async function watch(orgId: string, watched: WatchedOrganization): Promise<void> {
    for (let isFirst = true; watched.streams.size > 0; isFirst = false) {
      await read(() => poll(deps, orgId, watched, isFirst)).catch((error: unknown) =>
        deps.log.warn({ err: error, orgId }, 'the changes of an organisation could not be read'),
      )
      await delay(pollEveryMs)
    }
    organizations.delete(orgId)
  }

  return {
    open(caller, sessionId) {
      const open = all()
      const ofUser = open.filter(({ userId }) => userId === caller.userId).length
      if (isStopped || open.length >= streamsLimit || ofUser >= streamsPerUser) return undefined
      const known = organizations.get(caller.orgId)
      const watched = known ?? { streams: new Set<Stream>(), seen: new Map<string, number>() }
      const timer = setTimeout(() => queue.close(), lifetimeMs)
      const queue = createHintQueue(hintsLimit, () => {
        clearTimeout(timer)
        watched.streams.delete(stream)
      })
      const stream: Stream = { sessionId, userId: caller.userId, queue }
      watched.streams.add(stream)
      if (!known) {
        organizations.set(caller.orgId, watched)
        watch(caller.orgId, watched).catch((error: unknown) =>
          deps.log.error({ err: error }, 'a stream failed'),
        )
      }
      return queue
    },
    stop() {
      isStopped = true
      for (const { queue } of all()) queue.close()
    },
  }
}

/** Ends the streams of sessions that have ended, and sends the others what is new and visible to them. */
async function poll(
  deps: StreamDeps,
  orgId: string,
  watched: WatchedOrganization,
  isFirst: boolean,
): Promise<void> {
  const now = deps.clock.now()
  const since = new Date(now.getTime() - overlapMs)
  const sessionIds = [...watched.streams].map(({ sessionId }) => sessionId)
  const { hints, live } = await deps.db.inOrg(orgId, async (tx) => {
    const [events, exceptions, sessions] = await Promise.all([
      listRecentEvents(tx, orgId, { since, limit: hintsLimit + 1 }),
      listChangedExceptions(tx, orgId, { since, limit: hintsLimit + 1 }),
      selectLiveSessions(tx, orgId, sessionIds),
    ])
    return { hints: [...events, ...exceptions], live: sessions }
  })
  const permissions = new Map<string, ReadonlySet<Permission>>()
  for (const session of live)
    if (!isOver(session, now)) permissions.set(session.sessionId, effectivePermissions(session.membership))
  const fresh = takeFresh(watched.seen, hints, now)
  for (const { sessionId, queue } of watched.streams) {
    const held = permissions.get(sessionId)
    if (held) queue.push(isFirst ? [] : fresh.filter(({ type }) => mayReceive(held, type)))
    // A stream that was opened after the question about sessions is judged by the next one.
    else if (sessionIds.includes(sessionId)) queue.close()
  }
}

function takeFresh(seen: Map<string, number>, hints: readonly Hint[], now: Date): Hint[] {
  const keyOf = ({ type, id, sequence }: Hint): string => `${type} ${id} ${sequence}`
  const fresh = hints.filter((hint) => !seen.has(keyOf(hint)))
  for (const hint of fresh) seen.set(keyOf(hint), now.getTime())
  for (const [key, seenAtMs] of seen) if (now.getTime() - seenAtMs > 2 * overlapMs) seen.delete(key)
  return fresh
}
