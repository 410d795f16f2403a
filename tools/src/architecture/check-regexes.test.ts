import { describe, expect, it } from 'vitest'
import { checkRegexes, isPlainlyLinear } from './check-regexes.ts'
import { repositoryOf } from './repository.ts'

const problemsOf = (text: string, path = 'server/src/lib/things.ts'): string[] =>
  checkRegexes(repositoryOf([{ path, text }]))

describe('a regular expression in code that reads text from outside', () => {
  it.each([
    ['a quadratic literal', 'export const a = /0+$/', '/0+$/, which takes 2nd degree polynomial time'],
    ['an exponential literal', 'export const a = /^(a+)+$/', 'which takes exponential time'],
    ['one of a Zod schema', String.raw`z.string().regex(/^\d*\d*x$/)`, 'which takes'],
    ['one as text', "new RegExp('0+$')", 'which takes 2nd degree polynomial time'],
    ['one made without new', 'RegExp(`0+$`, "i")', '/0+$/i, which takes'],
    ['one with computed text', 'new RegExp(`^${name}$`)', 'text that is computed'],
    ['one with computed flags', "new RegExp('a', flags)", 'text that is computed'],
  ])('%s is refused', (_what, text, problem) => {
    expect(problemsOf(`\n${text}\n`)).toEqual([expect.stringContaining(problem)])
    expect(problemsOf(`\n${text}\n`)[0]).toMatch(/^server\/src\/lib\/things\.ts:2 /)
  })

  it.each(['checkout', 'simulator', 'sdk', 'stack', 'cli'])('is checked in %s', (name) => {
    expect(problemsOf('export const a = /0+$/', `${name}/src/things.ts`)).toHaveLength(1)
  })

  it('is not checked in tests', () => {
    expect(problemsOf('export const a = /0+$/', 'server/src/lib/things.test.ts')).toEqual([])
  })

  it.each(['/^[a-z]+$/', '/^(?:a|b)+c$/', String.raw`/^(\d+)(?:\.(\d+))?$/`, "new RegExp('^a+$', 'i')"])(
    '%s is accepted',
    (text) => {
      expect(problemsOf(`export const a = ${text}`)).toEqual([])
    },
  )
})

describe('a plainly linear pattern', () => {
  it.each(['', '[0-9a-f]{8}-[0-9a-f]{4}', '^[a-z]{1,1024}$', String.raw`^\d+$`, String.raw`^a\+[+*]{2}b*?$`])(
    '/%s/',
    (source) => {
      expect(isPlainlyLinear({ source, flags: '' })).toBe(true)
    },
  )

  it.each(['a+$', '^a+b+$', '^a{1,2}b?$', '^(?:a|a)$', '^(a{3})+$', 'a|b', String.raw`^(.)\1`, '^a+a{2,}'])(
    'is not /%s/',
    (source) => {
      expect(isPlainlyLinear({ source, flags: '' })).toBe(false)
    },
  )

  it('is not one that starts at every line', () => {
    expect(isPlainlyLinear({ source: String.raw`^\s*x`, flags: 'm' })).toBe(false)
  })
})
