import { afterEach, describe, expect, it } from 'vitest'
import { findMutants } from './find-mutants.ts'
import { instrument, mutantId, switchName } from './instrument.ts'

afterEach(() => {
  Reflect.deleteProperty(globalThis, switchName)
})

/** The value of the last expression of a function body, with the mutant of that replacement active. */
function valueOf(body: string, replacement?: string): unknown {
  const text = `function sample(a, b) {\n${body}\n}`
  const mutants = findMutants('sample.ts', text)
  const active = mutants.find((mutant) => mutant.replacement === replacement)
  if (replacement !== undefined && !active) throw new Error(`no mutant becomes ${replacement}`)
  const activeId = active && mutantId('sample.ts', active)
  Object.assign(globalThis, { [switchName]: (id: string) => id === activeId })
  // oxlint-disable-next-line typescript/no-implied-eval -- the text above is what is tested
  return (new Function(`${instrument(text, 'sample.ts', mutants)}; return sample(2, 3)`) as () => unknown)()
}

describe('an instrumented file', () => {
  it.each([
    ['return a < b', true],
    ['return (a + b) * 2', 10],
    ["return [a, b].filter((one) => one > 2).map(String).join('')", '3'],
    ['let c = 0\nif (a === 2) c = b\nelse c = 9\nreturn c', 3],
    ['const c = { d: { e: [1] } }\nreturn c?.d?.e.map((one) => one + a).length', 1],
    ["switch (a) {\n  case 2:\n    return 'two'\n  default:\n    return 'other'\n}", 'two'],
  ])('does without a mutant what it did before: %s', (body, value) => {
    expect(valueOf(body)).toBe(value)
  })

  it('does what the active mutant does', () => {
    expect(valueOf('return a < b', '(a) >= (b)')).toBe(false)
    expect(valueOf('return (a + b) * 2', '(a) - (b)')).toBe(-2)
    expect(valueOf('return (a + b) * 2', '3')).toBe(15)
    expect(valueOf('return [a, b].filter((one) => one > 2).length', '([a, b])')).toBe(2)
    expect(valueOf('let c = 0\nif (a === 2) c = b\nelse c = 9\nreturn c', 'false')).toBe(9)
    expect(valueOf('let c = 0\nif (a === 2) c = b\nelse c = 9\nreturn c', '')).toBe(0)
  })

  it('works where nobody asks', () => {
    const text = 'function sample() { return 1 < 2 }'
    const code = instrument(text, 'sample.ts', findMutants('sample.ts', text))
    // oxlint-disable-next-line typescript/no-implied-eval -- the text above is what is tested
    expect((new Function(`${code}; return sample()`) as () => unknown)()).toBe(true)
  })
})
