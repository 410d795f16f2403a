import { describe, expect, it } from 'vitest'
import { parseSecrets, toSecret } from './secrets.ts'

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64')
const ids = (text: string): string[] | string => {
  const parsed = parseSecrets(text)
  return typeof parsed === 'string' ? parsed : parsed.map(({ id }) => id)
}
const idOf = (fill: number): string => toSecret(Buffer.alloc(32, fill)).id

describe('a list of secrets', () => {
  it.each([
    ['one', key(1)],
    ['one with a line end', `${key(1)}\n`],
  ])('%s', (_name, text) => {
    expect(ids(text)).toEqual([idOf(1)])
  })

  it.each([
    ['commas', `${key(1)},${key(2)}`],
    ['lines', `${key(1)}\n${key(2)}\n`],
    ['Windows lines and blanks', ` ${key(1)}\r\n ${key(2)}\r\n`],
  ])('several, separated by %s, keep their order', (_name, text) => {
    expect(ids(text)).toEqual([idOf(1), idOf(2)])
  })

  it.each([
    ['nothing', '', 'holds no key'],
    ['only separators', ' ,\n', 'holds no key'],
    ['a short one behind a good one', `${key(1)},c2hvcnQ=`, 'must be at least 32 bytes'],
    ['a cut one', key(1).slice(0, 40), 'must be at least 32 bytes'],
    ['something else', `${key(1)},no-key!`, 'is not base64'],
    ['the same twice', `${key(1)},${key(1)}`, 'the same key twice'],
    ['too many', Array.from({ length: 11 }, (_, fill) => key(fill)).join(), 'more than 10'],
  ])('%s is refused without being quoted', (_name, text, problem) => {
    const found = ids(text)
    expect(found).toContain(problem)
    expect(found).not.toContain(key(1))
  })
})

it('an id says nothing about its key', () => {
  const bytes = Buffer.alloc(32, 7)
  expect(toSecret(bytes).id).toMatch(/^[0-9a-f]{12}$/)
  expect(bytes.toString('hex')).not.toContain(toSecret(bytes).id)
})
