import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createKeyCache } from './key-cache.ts'

const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString()
const minuteMs = 60_000

/** A provider that can rotate its keys and counts the requests for them. */
function provider(ids: string[] | undefined) {
  const state = { ids, asked: 0 }
  const fetch = async () => {
    state.asked += 1
    return state.ids?.map((id) => ({ id, key: id === 'broken' ? 'no key' : pem }))
  }
  return { state, source: (nowMs: number, name = 'https://provider.test') => ({ name, nowMs, fetch }) }
}

describe('the key cache', () => {
  test('fetches once for many webhooks, and again after an hour', async () => {
    const { state, source } = provider(['K1'])
    const find = createKeyCache()
    for (let count = 0; count < 5; count += 1)
      expect(await find(source(0), 'K1')).toHaveProperty('type', 'public')
    expect(state.asked).toBe(1)
    await find(source(61 * minuteMs), 'K1')
    expect(state.asked).toBe(2)
  })

  test('fetches once for concurrent webhooks', async () => {
    const { state, source } = provider(['K1'])
    const find = createKeyCache()
    await Promise.all(Array.from({ length: 20 }, () => find(source(0), 'K1')))
    expect(state.asked).toBe(1)
    await Promise.all(Array.from({ length: 20 }, () => find(source(61 * minuteMs), 'K1')))
    expect(state.asked).toBe(2)
  })

  test('finds an added key, but does not fetch for every unknown key id', async () => {
    const { state, source } = provider(['K1'])
    const find = createKeyCache()
    await find(source(0), 'K1')
    for (let count = 0; count < 10; count += 1) expect(await find(source(1_000), 'K2')).toBe('unknown')
    expect(state.asked).toBe(1)
    state.ids = ['K1', 'K2']
    expect(await find(source(minuteMs), 'K2')).toHaveProperty('type', 'public')
    expect(state.asked).toBe(2)
  })

  test('distinguishes an unreachable provider from an unknown key, and fetches again later', async () => {
    const { state, source } = provider(undefined)
    const find = createKeyCache()
    expect(await find(source(0), 'K1')).toBe('unreachable')
    expect(await find(source(1_000), 'K1')).toBe('unreachable')
    expect(state.asked).toBe(1)
    state.ids = ['K1']
    expect(await find(source(minuteMs), 'K1')).toHaveProperty('type', 'public')
  })

  test('separates the keys of two providers, and skips an unreadable key', async () => {
    const [one, other] = [provider(['K1']), provider(['K2', 'broken'])]
    const find = createKeyCache()
    await find(one.source(0, 'https://one.test'), 'K1')
    expect(await find(other.source(0, 'https://other.test'), 'K1')).toBe('unknown')
    expect(await find(other.source(0, 'https://other.test'), 'broken')).toBe('unknown')
    expect(await find(other.source(0, 'https://other.test'), 'K2')).toHaveProperty('type', 'public')
  })
})
