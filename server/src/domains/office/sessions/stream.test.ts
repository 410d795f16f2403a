import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../lib/clock.ts'
import { createLog } from '../../../lib/log.ts'
import { newId } from '../../../lib/ids.ts'
import { useSignIn, type TestBrowser } from '../../../../test/worlds/test-sign-in.ts'
import { lift, suspend } from '../../compliance/suspensions/testing/suspend-as-operator.ts'
import { createHintQueue } from './queue-hints.ts'
import { mayReceive } from './rules.ts'
import { createStreams, type Streams } from './watch-organization.ts'

const s = useSignIn({ env: { LOG_LEVEL: 'silent' } })
let orgId: string
let otherOrgId: string
beforeAll(() => {
  const [one, two] = s.t.seed.orgs
  orgId = one?.org_id ?? ''
  otherOrgId = two?.org_id ?? ''
})
// These events have no data, which the check of all events at the end would report.
afterAll(() => s.t.owner.query(`delete from events where data = '{}'`))

async function signedIn(role: 'staff' | 'viewer' = 'staff') {
  const account = await s.addAccount(orgId, role)
  const browser = s.newBrowser()
  await browser.signIn(account)
  return { account, browser }
}

interface OpenStream {
  status: number
  type: string
  /** Reads until a hint of the type has come or the stream has ended. */
  until(type: string): Promise<string>
  /** Everything that has come, once the stream has ended. */
  ended: Promise<string>
}

async function openStream(browser: TestBrowser): Promise<OpenStream> {
  const response = await request(`${s.t.url}/auth/stream`, {
    headers: {
      authorization: 'NONE',
      'x-api-key': 'NONE',
      'sec-fetch-site': 'same-origin',
      'x-switchyard-background': '1',
      cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
    },
  })
  let text = ''
  const waiting = new Set<() => void>()
  const ended = (async () => {
    for await (const chunk of response.body) {
      text += String(chunk)
      for (const wake of waiting) wake()
    }
    for (const wake of waiting) wake()
    return text
  })()
  return {
    status: response.statusCode,
    type: String(response.headers['content-type']),
    ended,
    async until(type) {
      while (!text.includes(`"type":"${type}"`)) {
        const next = new Promise<void>((resolve) => waiting.add(resolve))
        const last = await Promise.race([next, ended])
        if (typeof last === 'string') break
      }
      return text
    },
  }
}

/** An event of a payment, as the payment's transaction writes it. */
const writeEvent = (org: string, resourceId: string, eventType = 'transaction.updated') =>
  s.t.owner.query(
    `insert into events (org_id, event_id, event_type, resource_id, sequence, data) values ($1, $2, $3, $4, 7, '{}')`,
    [org, newId(), eventType, resourceId],
  )

/** The first read of an organisation establishes what is old. */
const untilWatching = async (browser: TestBrowser): Promise<OpenStream> => {
  const stream = await openStream(browser)
  await stream.until('everything')
  const marker = newId()
  for (let tries = 0; tries < 20; tries++) {
    await writeEvent(orgId, marker, tries % 2 === 0 ? 'dispute.opened' : 'dispute.updated')
    const heard = await Promise.race([
      stream.until('dispute.opened'),
      stream.until('dispute.updated'),
      new Promise<string>((resolve) => setTimeout(() => resolve(''), 1_500)),
    ])
    if (heard.includes(marker)) return stream
  }
  throw new Error('the stream sends no hints')
}

describe('a stream', () => {
  it('sends the type, id and sequence of what changes, and no other organisation’s', async () => {
    const { browser } = await signedIn()
    const stream = await untilWatching(browser)
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const [own, foreign] = [newId(), newId()]
    await writeEvent(otherOrgId, foreign, 'payment.failed')
    await writeEvent(orgId, own, 'payment.completed')
    const text = await stream.until('payment.completed')
    expect(text).toContain(`data: {"type":"payment.completed","id":"${own}","sequence":7}\n\n`)
    expect(text).not.toContain(foreign)
    await browser.call('POST', '/auth/logout')
  })

  it('sends exceptions as they are raised and closed', async () => {
    const { browser } = await signedIn()
    const stream = await untilWatching(browser)
    const exceptionId = newId()
    await s.t.owner.query(
      `insert into exceptions (org_id, exception_id, kind, summary, suggested_action, finding_key)
       values ($1, $2::uuid, 'unknown_outcome', 'a', 'b', $2::text)`,
      [orgId, exceptionId],
    )
    expect(await stream.until('exception.updated')).toContain(exceptionId)
    await browser.call('POST', '/auth/logout')
  })

  it('ends when its session ends', async () => {
    const { account, browser } = await signedIn()
    const other = s.newBrowser()
    await other.signIn(account)
    const stream = await untilWatching(browser)
    await other.call('POST', '/auth/logout-everywhere')
    const after = newId()
    const text = await stream.ended
    await writeEvent(orgId, after)
    expect(text).not.toContain(after)
  })

  it('ends when its member is suspended, and the session works again afterwards', async () => {
    const { account, browser } = await signedIn()
    const stream = await untilWatching(browser)
    const suspension = await suspend(s.t, { kind: 'member', org_id: orgId, subject_id: account.userId })
    await stream.ended
    expect((await browser.call('GET', '/v1/users/me')).status).toBe(401)
    await lift(s.t, suspension)
    expect((await browser.call('GET', '/v1/users/me')).status).toBe(200)
  })

  it('does not keep the session alive', async () => {
    const { account, browser } = await signedIn()
    await s.t.owner.query(
      `update sessions set last_seen_at = last_seen_at - interval '10 minutes' where user_id = $1`,
      [account.userId],
    )
    const before = await lastSeen(account.userId)
    const stream = await openStream(browser)
    await stream.until('everything')
    expect(await lastSeen(account.userId)).toEqual(before)
    await browser.call('POST', '/auth/logout')
  })

  it('is refused to API keys', async () => {
    const answer = await s.t.call('GET', '/auth/stream', { as: s.t.seed.platformAdmin.api_key })
    expect(answer.status).toBe(403)
  })
})

const lastSeen = async (userId: string): Promise<Date | undefined> => {
  const { rows } = await s.t.owner.query<{ last_seen_at: Date }>(
    'select last_seen_at from sessions where user_id = $1',
    [userId],
  )
  return rows[0]?.last_seen_at
}

describe('the streams of a process', () => {
  const caller = (userId: string) => ({
    orgId,
    userId,
    role: 'viewer' as const,
    permissions: new Set<never>(),
    features: new Set<never>(),
    credential: { kind: 'session' as const, sessionId: newId(), authTime: null },
    origin: { ip: '127.0.0.1', userAgent: undefined, requestId: 'test' },
  })
  const start = (lifetimeMs?: number): Streams =>
    createStreams({ db: s.t.deps.pageDb, clock: systemClock, log: createLog('silent') }, lifetimeMs)

  it('end by themselves, so that the page returns', async () => {
    const stream = start(50).open(caller('a'), newId())
    const states: string[] = []
    for await (const state of stream!.states) states.push(state)
    expect(states).toEqual(['{"type":"everything"}'])
  })

  it('end when the process stops, and none begins afterwards', async () => {
    const streams = start()
    const stream = streams.open(caller('a'), newId())
    streams.stop()
    for await (const state of stream!.states) expect(state).toContain('everything')
    expect(streams.open(caller('a'), newId())).toBeUndefined()
  })

  it('are at most ten for one person', () => {
    const streams = start()
    const opened = Array.from({ length: 11 }, () => streams.open(caller('a'), newId()))
    expect(opened.filter((stream) => stream !== undefined)).toHaveLength(10)
    expect(streams.open(caller('b'), newId())).toBeDefined()
    streams.stop()
  })

  it('tell a page that is too slow for the hints to fetch everything', async () => {
    const queue = createHintQueue(3, () => undefined)
    queue.push([1, 2, 3].map((sequence) => ({ type: 'payment.failed', id: newId(), sequence })))
    queue.close()
    const states: string[] = []
    for await (const state of queue.states) states.push(state)
    expect(states).toEqual(['{"type":"everything"}'])
  })
})

describe('hints', () => {
  it('go to those who may read the resource', () => {
    expect(mayReceive(new Set(['payments:read']), 'payment.completed')).toBe(true)
    expect(mayReceive(new Set(['payments:read']), 'dispute.opened')).toBe(false)
    expect(mayReceive(new Set(['disputes:read']), 'dispute.opened')).toBe(true)
  })

  it('of a type that nobody has classified go to nobody', () => {
    expect(mayReceive(new Set(['payments:read']), 'secret.changed')).toBe(false)
    expect(mayReceive(new Set(['payments:read']), 'constructor')).toBe(false)
  })
})
