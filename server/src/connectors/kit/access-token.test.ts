import { expect, test } from 'vitest'
import { createTokenCache, type AccessToken } from './access-token.ts'

type FailedRequest = { kind: 'failed' }
const account = ['https://auth.test', 'client', 'secret']
const lifetimeMs = 3_600_000

/** A provider that numbers the tokens it issues. */
function provider(answer?: FailedRequest) {
  const tokenOf = createTokenCache<FailedRequest>()
  const state = { asked: 0, answer }
  const fetch = async (): Promise<AccessToken | FailedRequest> => {
    state.asked += 1
    return state.answer ?? { kind: 'token', value: `token-${state.asked}`, lifetimeMs }
  }
  const ask = (nowMs: number, refused?: string, whose = account) =>
    tokenOf({ account: whose, nowMs, fetch, refused })
  return { state, ask }
}

test('concurrent calls share one request, and later calls reuse its token until shortly before it expires', async () => {
  const { state, ask } = provider()
  await Promise.all([ask(0), ask(0), ask(0)])
  expect(await ask(lifetimeMs - 60_001)).toMatchObject({ value: 'token-1' })
  expect(state.asked).toBe(1)
  expect(await ask(lifetimeMs - 60_000)).toMatchObject({ value: 'token-2' })
})

test('a rejected token is replaced once, however many calls were rejected', async () => {
  const { state, ask } = provider()
  await ask(0)
  const answers = await Promise.all([ask(0, 'token-1'), ask(0, 'token-1')])
  expect(answers).toMatchObject([{ value: 'token-2' }, { value: 'token-2' }])
  expect(await ask(0, 'token-1')).toMatchObject({ value: 'token-2' })
  expect(state.asked).toBe(2)
})

test('a failure is not cached', async () => {
  const { state, ask } = provider({ kind: 'failed' })
  expect(await ask(0)).toEqual({ kind: 'failed' })
  state.answer = undefined
  expect(await ask(0)).toMatchObject({ kind: 'token' })
})

test('other credentials get another token', async () => {
  const { ask } = provider()
  await ask(0)
  expect(await ask(0, undefined, [...account.slice(0, 2), 'other'])).toMatchObject({ value: 'token-2' })
})
