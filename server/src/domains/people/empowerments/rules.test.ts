import { describe, expect, it } from 'vitest'
import { createLineage, isSecondPerson, relationAmong } from './rules.ts'

const by = (empoweredBy: string, userId: string, isByOperator = false) => ({
  userId,
  empoweredBy,
  isByOperator,
})

describe('relation', () => {
  it.each([
    ['nobody empowered anybody', [], undefined],
    ['one empowered the other', [by('ann', 'bob')], 'direct'],
    ['the other way round', [by('bob', 'ann')], 'direct'],
    ['through a third person', [by('ann', 'cat'), by('cat', 'bob')], 'direct'],
    ['the same person empowered both', [by('cat', 'ann'), by('cat', 'bob')], 'common'],
    ['a chain and a branch', [by('cat', 'ann'), by('cat', 'dan'), by('dan', 'bob')], 'common'],
    ['both empowered the same person', [by('ann', 'cat'), by('bob', 'cat')], undefined],
    ['the operator empowered both', [by('olu', 'ann', true), by('olu', 'bob', true)], undefined],
    ['a circle', [by('ann', 'cat'), by('cat', 'ann')], undefined],
  ])('%s', (_name, empowerments, expected) => {
    expect(createLineage(empowerments).relation('ann', 'bob')).toBe(expected)
    expect(createLineage(empowerments).relation('bob', 'ann')).toBe(expected)
  })

  it('the operator is related to whom they empowered, and to whom these empowered', () => {
    const lineage = createLineage([by('olu', 'ann', true), by('ann', 'bob')])
    expect(lineage.relation('olu', 'ann')).toBe('operator')
    expect(lineage.relation('bob', 'olu')).toBe('operator')
    expect(relationAmong(lineage, 'bob', ['olu', 'ann'])).toBe('direct')
    expect(relationAmong(lineage, 'bob', ['eve'])).toBeUndefined()
  })

  it('somebody has empowered those whom they gave access, also through others, and not themselves', () => {
    const { hasEmpowered } = createLineage([by('ann', 'bob'), by('bob', 'cat'), by('olu', 'eve', true)])
    expect([hasEmpowered('ann', 'bob'), hasEmpowered('ann', 'cat')]).toEqual([true, true])
    expect([hasEmpowered('bob', 'ann'), hasEmpowered('ann', 'ann'), hasEmpowered('olu', 'eve')]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('behind somebody stand the operators who gave them access, also through others', () => {
    const lineage = createLineage([by('olu', 'ann', true), by('ann', 'bob'), by('eve', 'bob')])
    expect(['ann', 'bob', 'eve', 'olu'].map(lineage.operatorsBehind)).toEqual([['olu'], ['olu'], [], []])
  })

  it('nobody is a second person beside themselves or a relative', () => {
    const lineage = createLineage([by('ann', 'bob'), by('olu', 'eve', true)])
    const pairs = [
      ['ann', 'ann'],
      ['ann', 'bob'],
      ['ann', 'eve'],
      ['olu', 'eve'],
    ] as const
    expect(pairs.map(([one, other]) => isSecondPerson(lineage, one, other))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })
})
