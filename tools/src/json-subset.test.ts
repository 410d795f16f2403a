import { describe, expect, it } from 'vitest'
import { findMissing, jsonValuesIn } from './json-subset.ts'

describe('jsonValuesIn', () => {
  it.each([
    ['{"a":1}', [{ a: 1 }]],
    ['{"a":1}{"b":2}\n[3]', [{ a: 1 }, { b: 2 }, [3]]],
    ['HTTP 200 [ok]\n{\n  "a": "} \\" ]"\n}\ndone', [{ a: '} " ]' }]],
    ['nothing here', []],
    ['{"never closed": [1, 2', []],
  ])('finds every value in %s', (text, values) => {
    expect(jsonValuesIn(text)).toEqual(values)
  })
})

describe('findMissing', () => {
  const answer = '{"status":"success","data":{"id":"p1","amount":1500.00,"tags":["a","b"],"note":null}}'

  it.each([
    [{ status: 'success' }],
    [{ data: { amount: 1500, note: null } }],
    [{ data: { id: '…', tags: '…' } }],
    [{ data: { tags: ['a'] } }],
    [{}],
  ])('%j is in the answer', (expected) => {
    expect(findMissing(expected, answer)).toBeUndefined()
  })

  it.each([
    [{ status: 'error' }, 'status: expected "error", got "success"'],
    [{ data: { amount: 1501 } }, 'data.amount: expected 1501, got 1500'],
    [{ data: { missing: '…' } }, 'data.missing: expected "…", got nothing'],
    [{ data: { tags: ['b'] } }, 'data.tags.0: expected "b", got "a"'],
    [{ data: [] }, 'data: expected [], got '],
    [{ data: { id: { a: 1 } } }, 'data.id: expected {"a":1}, got "p1"'],
    [{ data: { note: 'x' } }, 'data.note: expected "x", got null'],
  ])('%j is not', (expected, reason) => {
    expect(findMissing(expected, answer)).toContain(reason)
  })

  it('one matching value among several is enough, and a text without JSON is a failure', () => {
    expect(findMissing({ b: 2 }, '{"a":1}\n{"b":2}')).toBeUndefined()
    expect(findMissing({ b: 2 }, 'no answer')).toBe('printed no JSON')
  })
})
