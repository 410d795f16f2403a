import { request } from 'undici'
import { beforeEach, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { createHttpClient } from '../../../connectors/kit/http-client.ts'
import {
  cardPayin,
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { openReturn, receiveReturn } from './receive-return.ts'

const clock = createTestClock()
const sendCall = createHttpClient()
/** The references that the provider was asked about. */
let asked: string[] = []
let isHanging = false
const t = usePayments({
  delayMs: untilSettled,
  clock,
  http: (call) => {
    const [, reference] = /\/transaction\/verify\/(.+)$/.exec(call.url) ?? []
    if (reference !== undefined) asked.push(reference)
    return reference !== undefined && isHanging ? new Promise(() => undefined) : sendCall(call)
  },
})
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
  isHanging = false
})

/** The customer leaves the provider's page without paying and comes back to ours. */
async function visit(): Promise<{ id: string; path: string; token: string }> {
  const answer = await org.initiate(cardPayin({ country: 'NG', currency: 'NGN', target_currency: 'NGN' }))
  const { payment_id: id, redirect_url: url } = answer.body.response
  const page = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'decision=cancel',
  })
  await page.body.dump()
  const path = new URL(String(page.headers['location'])).pathname
  asked = []
  return { id, path, token: path.split('/').at(-1) ?? '' }
}

async function countsOf(id: string): Promise<{ inquiries: number; page_inquiries: number }> {
  const [attempt] = await org.attempts(id)
  return { inquiries: attempt.data.inquiries, page_inquiries: attempt.data.page_inquiries }
}

describe('a page that stays open', () => {
  it('asks the provider ever more rarely, and not without end', async () => {
    const { id, path } = await visit()
    const askedAtMinutes: number[] = []
    for (let polls = 0; polls < 600; polls++) {
      clock.pass(5_000)
      const before = asked.length
      expect((await t.call('GET', path)).status).toBe(200)
      if (asked.length > before) askedAtMinutes.push(Math.floor(polls / 12))
    }
    expect(askedAtMinutes.filter((minute) => minute === 0).length).toBeGreaterThan(5)
    expect(askedAtMinutes.filter((minute) => minute === 10).length).toBeLessThanOrEqual(1)
    expect(asked.length).toBeLessThanOrEqual(40)
    expect(await countsOf(id)).toMatchObject({ inquiries: 0, page_inquiries: asked.length })
  })

  it('leaves the schedule of the engine as it is', async () => {
    const { id, path } = await visit()
    for (let polls = 0; polls < 10; polls++) {
      clock.pass(30_000)
      await t.call('GET', path)
    }
    expect(asked.length).toBeGreaterThan(5)
    expect((await org.advance(id)).nextPollMs).toBe(t.deps.pollSchedule.acceptedMs[1])
    expect((await countsOf(id)).inquiries).toBe(1)
  })

  it('shares one question with all others, in whichever process they are', async () => {
    const { token } = await visit()
    clock.pass(10_000)
    // Nothing in the memory of a process is shared by these calls.
    await Promise.all(
      Array.from({ length: 20 }, async () => receiveReturn(t.deps, await openReturn(t.deps, token))),
    )
    expect(asked).toHaveLength(1)
  })

  it('does not wait for a provider that hangs', async () => {
    const { path } = await visit()
    isHanging = true
    clock.pass(10_000)
    for (let polls = 0; polls < 5; polls++)
      expect((await t.call('GET', `${path}/status`)).body).toEqual({ state: 'open' })
    expect(asked).toHaveLength(1)
  })
})

/** Opens event streams until the test ends them. */
async function openStreams(path: string, count: number): Promise<{ statuses: number[]; end: () => void }> {
  const ending = new AbortController()
  const responses = await Promise.all(
    Array.from({ length: count }, () => fetch(`${t.url}${path}/events`, { signal: ending.signal })),
  )
  return { statuses: responses.map(({ status }) => status), end: () => ending.abort() }
}

describe('event streams', () => {
  it('are limited for each address, and their places are free again when they end', async () => {
    const { path } = await visit()
    const first = await openStreams(path, 25)
    expect(first.statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(first.statuses.filter((status) => status === 204)).toHaveLength(5)
    first.end()
    const reopened = async (): Promise<number[]> => {
      const again = await openStreams(path, 1)
      again.end()
      return again.statuses
    }
    await expect.poll(reopened, { timeout: defaultWaitMs, interval: 500 }).toEqual([200])
  })
})
