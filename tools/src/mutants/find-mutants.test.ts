import { describe, expect, it } from 'vitest'
import { findMutants } from './find-mutants.ts'

const mutantsOf = (text: string): string[] =>
  findMutants('sample.ts', text).map(({ original, replacement }) => `${original} => ${replacement}`)

describe('mutants', () => {
  it.each<[string, string[]]>([
    ['const a = b < c', ['b < c => (b) <= (c)', 'b < c => (b) >= (c)']],
    ['const a = b >= c', ['b >= c => (b) > (c)', 'b >= c => (b) < (c)']],
    ['const a = b === c', ['b === c => (b) !== (c)']],
    ['const a = b && c', ['b && c => (b) || (c)']],
    ['const a = b ?? c', ['b ?? c => (b) && (c)']],
    ['const a = (b + c) * d', ['(b + c) * d => (b + c) / (d)', 'b + c => (b) - (c)']],
    ['const a = !b', ['!b => (b)']],
    ['const a = -b', ['-b => (b)']],
    ['const a = b ? c : d', ['b => true', 'b => false']],
    ['const a = 5n', ['5n => 6n']],
    ['const a = 5', ['5 => 6']],
    ['const a = true', ['true => false']],
    ["const a = 'b'", ["'b' => ''"]],
    ["const a = ''", ["'' => 'mutated'"]],
    ['const a = `b${c}`', ['`b${c}` => ``']],
    ['const a = [b]', ['[b] => []']],
    ['const a = { b }', ['{ b } => ({})']],
    ['const a = b?.c', ['b?.c => b.c']],
    ['const a = b?.[c]?.d', ['b?.[c]?.d => b?.[c].d', 'b?.[c]?.d => b[c]?.d']],
    ['const a = b?.(c)', ['b?.(c) => b(c)']],
    ['const a = b.some(c)', ['b.some(c) => b.every(c)']],
    ['const a = b.filter(c)', ['b.filter(c) => (b)']],
    ['a += b', ['a += b => ', 'a += b => a -= (b)']],
    ['a()', ['a() => ']],
    ['while (a) b()', ['a => false', 'b() => ']],
  ])('of %s', (text, mutants) => {
    expect(mutantsOf(text)).toEqual(mutants)
  })

  it('of a chain leave the chain whole', () => {
    expect(mutantsOf('const a = b?.c.filter(d)')).toEqual(['b?.c.filter(d) => b.c.filter(d)'])
  })

  it('remove the end of a case', () => {
    expect(mutantsOf('function f(a) { switch (a) { case b: return c } }')).toEqual(['return c => '])
  })

  it.each([
    "import a from 'b'",
    "type A = 'b' | 5 | true",
    "interface A { b: 'c' }",
    "const a = b as 'c'",
    "throw new RangeError('a' + 5)",
    'throw new AppError(`a ${b}`)',
    'const a = sql`b`',
    'const a = {}',
    'const a = []',
    "const a = b + 'c'".replace("'c'", '``'),
  ])('are none in %s', (text) => {
    expect(mutantsOf(text)).toEqual([])
  })

  it('are numbered in the order of the text, and know their line', () => {
    const [first, second] = findMutants('sample.ts', 'const a = 1\nconst b = 2\n')
    expect([first?.number, first?.line, second?.number, second?.line]).toEqual([1, 1, 2, 2])
  })

  it('leave field names alone', () => {
    expect(mutantsOf("const a = { 'b': c, [d < e]: f }")).toEqual([
      "{ 'b': c, [d < e]: f } => ({})",
      'd < e => (d) <= (e)',
      'd < e => (d) >= (e)',
    ])
  })
})
