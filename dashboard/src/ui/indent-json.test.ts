import { describe, expect, it } from 'vitest'
import { indentJson } from './indent-json.ts'

describe('indentJson', () => {
  it('indents as JSON.stringify does', () => {
    const value = { a: [1, { b: 'x, {y}: "z" \\' }], c: {}, d: [], e: null }
    expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  })

  it('keeps every digit of a number', () => {
    expect(indentJson('{"amount":10.10,"rate":1.234567890123456789}')).toBe(
      '{\n  "amount": 10.10,\n  "rate": 1.234567890123456789\n}',
    )
  })

  it('leaves what is no JSON as it is', () => {
    expect(indentJson('<html>no</html>')).toBe('<html>no</html>')
  })
})
