import { describe, expect, it } from 'vitest'
import { findMutants } from './find-mutants.ts'
import { instrument, mutantId, switchName } from './instrument.ts'

const mutantsOf = (text: string): string[] =>
  findMutants('store.ts', text, 'sql').map(({ original, replacement }) => `${original} => ${replacement}`)

describe('mutants of a store', () => {
  it.each<[string, string[]]>([
    ["a.where('b', '=', c)", [".where('b', '=', c) => ", "'=' => '<>'"]],
    ["a.where('b', '<', c)", [".where('b', '<', c) => ", "'<' => '<='"]],
    ["a.where('b', 'not in', c)", [".where('b', 'not in', c) => ", "'not in' => 'in'"]],
    ['a.where(isOpen(b))', ['.where(isOpen(b)) => ']],
    ['a.selectAll().forUpdate().skipLocked()', ['.forUpdate() => ', '.skipLocked() => ']],
    ['a.onConflict((b) => b.doNothing())', ['.onConflict((b) => b.doNothing()) => ']],
    ['sql`select a from b where c = ${d}`', ['c = ${d} => true', '= => <>']],
    ['sql`select a where b > 1 and c is null limit 1`', ['b > 1 => true', '> => >=', 'c is null => true']],
    [
      'sql`select a where (b < 1 or c = 2)`',
      ['(b < 1 or c = 2) => true', 'b < 1 => true', '< => <=', 'c = 2 => true', '= => <>'],
    ],
    ['sql`select a where b between 1 and 2 for share`', ['b between 1 and 2 => true', 'for share => ']],
    ["sql`update a set b = 1 where c = 'd' returning b`", ["c = 'd' => true", '= => <>']],
    ['sql`insert into a (b) values (1) on conflict (b) do nothing`', ['on conflict (b) do nothing => ']],
    ['sql`select a from b join c on c.d = b.d`', ['c.d = b.d => true', '= => <>']],
  ])('of %s', (text, mutants) => {
    expect(mutantsOf(text).toSorted()).toEqual(mutants.toSorted())
  })

  it.each([
    "a.where('org_id', '=', b)",
    "a.where('payments.org_id', '=', b)",
    'sql`select a where org_id = ${b}`',
    'sql`update a set b = 1`',
    "const a = 'where b = c'",
    'const a = b === c ? 1 : 2',
  ])('are none in %s', (text) => {
    expect(mutantsOf(text)).toEqual([])
  })

  it('name the line of the condition, not that of its statement', () => {
    const [mutant] = findMutants('store.ts', 'const a = sql`\nselect b\nwhere c is null`', 'sql')
    expect(mutant?.line).toBe(3)
  })

  it('leave the rest of the statement as it is', () => {
    const text =
      'const sql = String.raw; const a = 7; const query = sql`select b where c = ${a} and d < 1 for share`'
    const mutants = findMutants('store.ts', text, 'sql')
    const queries = [undefined, ...mutants].map((active) => {
      const activeId = active && mutantId('store.ts', active)
      Object.assign(globalThis, { [switchName]: (id: string) => id === activeId })
      // oxlint-disable-next-line typescript/no-implied-eval -- the text above is what is tested
      return (new Function(`${instrument(text, 'store.ts', mutants)}; return query`) as () => unknown)()
    })
    Reflect.deleteProperty(globalThis, switchName)
    expect(queries).toEqual([
      'select b where c = 7 and d < 1 for share',
      'select b where true and d < 1 for share',
      'select b where c <> 7 and d < 1 for share',
      'select b where c = 7 and true for share',
      'select b where c = 7 and d <= 1 for share',
      'select b where c = 7 and d < 1 ',
    ])
  })
})
