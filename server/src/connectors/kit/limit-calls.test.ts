import { afterEach, describe, expect, test, vi } from 'vitest'
import type { HttpCall, HttpResult } from './http-client.ts'
import { createAccountClients } from './limit-calls.ts'

const limits = { calls: 2, queue: 3, queueMs: 100 }
afterEach(() => void vi.useRealTimers())

const callTo = (path: string): HttpCall => ({ method: 'POST', url: `https://provider.test/${path}` })
const answered: HttpResult = { kind: 'answered', status: 200, headers: {}, body: '{}' }

/** A provider that answers a call only when the test says so. */
function hangingProvider() {
  const received: string[] = []
  const answers: (() => void)[] = []
  const timeouts: (number | undefined)[] = []
  const http = (call: HttpCall): Promise<HttpResult> => {
    received.push(new URL(call.url).pathname.slice(1))
    timeouts.push(call.timeoutMs)
    return new Promise((resolve) => answers.push(() => resolve(answered)))
  }
  return { http, received, answers, timeouts }
}

describe('the calls of one provider account', () => {
  test('run up to the limit, the next ones queue, and the rest is refused at once', async () => {
    const { http, received } = hangingProvider()
    const client = createAccountClients(http, limits)('mine')
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => client(callTo(path)))
    expect(await calls[5]).toMatchObject({ kind: 'not_sent' })
    expect(received).toEqual(['a', 'b'])
  })

  test('a queued call that gets no slot in time is not_sent, and is never sent later', async () => {
    const { http, received, answers } = hangingProvider()
    const client = createAccountClients(http, limits)('mine')
    const running = [client(callTo('a')), client(callTo('b'))]
    expect((await client(callTo('late'))).kind).toBe('not_sent')
    for (const answer of answers) answer()
    await Promise.all(running)
    const next = client(callTo('next'))
    await expect.poll(() => answers).toHaveLength(3)
    answers[2]?.()
    expect((await next).kind).toBe('answered')
    expect(received).toEqual(['a', 'b', 'next'])
  })

  test('a slot goes to the call that has waited longest, whose timeout includes the wait', async () => {
    const { http, received, answers, timeouts } = hangingProvider()
    const client = createAccountClients(http, { ...limits, queueMs: 5_000 })('mine')
    const calls = ['a', 'b', 'c', 'd'].map((path) => client({ ...callTo(path), timeoutMs: 1_000 }))
    await new Promise((resolve) => setTimeout(resolve, 30))
    answers[1]?.()
    await calls[1]
    await expect.poll(() => received).toEqual(['a', 'b', 'c'])
    expect(timeouts[0]).toBe(1_000)
    expect(timeouts[2]).toBeLessThan(990)
    answers[0]?.()
    await expect.poll(() => received).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a call that throws gives its slot back', async () => {
    const client = createAccountClients(() => Promise.reject(new Error('defect')), limits)('mine')
    for (let times = 0; times < 5; times++) await expect(client(callTo('a'))).rejects.toThrow('defect')
  })
})

test('an account whose provider hangs does not delay the calls of another account', async () => {
  vi.useFakeTimers()
  const hanging = hangingProvider()
  const clientOf = createAccountClients(
    (call) => (call.url.endsWith('hangs') ? hanging.http(call) : Promise.resolve(answered)),
    limits,
  )
  const stuck = Array.from({ length: 20 }, () => clientOf('theirs')(callTo('hangs')))
  // The clock stands still, so a call that waited in a queue would not end.
  for (let times = 0; times < 10; times++)
    expect((await clientOf('mine')(callTo('works'))).kind).toBe('answered')
  await vi.advanceTimersByTimeAsync(limits.queueMs)
  const refused = (await Promise.all(stuck.slice(limits.calls))).map(({ kind }) => kind)
  expect(new Set(refused)).toEqual(new Set(['not_sent']))
  expect(hanging.received).toHaveLength(limits.calls)
})
