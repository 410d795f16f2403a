import { describe, expect, it } from 'vitest'
import { writeJson, type Edit } from './json-text.ts'

const body = { amount: 1, payer: { name: 'Ann' }, tags: ['a', 'b'] }
const edited = (how: Edit['how'], at: number, text = '1e400'): string => writeJson(body, [{ at, how, text }])

describe('a body', () => {
  it('without edits is its JSON', () => {
    expect(writeJson(body, [])).toBe(JSON.stringify(body))
    expect(writeJson('text', [])).toBe('"text"')
  })

  it.each([
    ['replace', 0, '1e400'],
    ['replace', 1, '{"amount":1e400,"payer":{"name":"Ann"},"tags":["a","b"]}'],
    ['replace', 2, '{"amount":1,"payer":1e400,"tags":["a","b"]}'],
    ['drop', 3, '{"amount":1,"payer":{},"tags":["a","b"]}'],
    ['twice', 1, '{"amount":1,"amount":1e400,"payer":{"name":"Ann"},"tags":["a","b"]}'],
    ['add', 2, '{"amount":1,"payer":{"name":"Ann","added":1e400},"tags":["a","b"]}'],
    ['add', 4, '{"amount":1,"payer":{"name":"Ann"},"tags":["a","b",1e400]}'],
    ['replace', 7, '1e400'],
  ] as const)('%s at %d', (how, at, text) => {
    expect(edited(how, at)).toBe(text)
  })
})
