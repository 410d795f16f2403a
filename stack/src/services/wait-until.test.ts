import { expect, test } from 'vitest'
import { answersOk, waitUntil } from './wait-until.ts'

test('the wait returns the result of the condition', async () => {
  let calls = 0
  const result = await waitUntil(() => (++calls === 3 ? 'third' : undefined), {
    timeoutMs: 1_000,
    what: 'the third call',
    intervalMs: 1,
  })
  expect(result).toBe('third')
})

test('a timeout names what it waited for', async () => {
  await expect(waitUntil(() => false, { timeoutMs: 5, what: 'Godot', intervalMs: 1 })).rejects.toThrow(
    'timed out after 5 ms waiting for Godot',
  )
})

test('a condition that throws ends the wait', async () => {
  const condition = () => {
    throw new Error('broken')
  }
  await expect(waitUntil(condition, { timeoutMs: 1_000, what: 'nothing' })).rejects.toThrow('broken')
})

test('a URL where nothing listens is not ok', async () => {
  expect(await answersOk('http://127.0.0.1:1/')).toBe(false)
})
