import { beforeAll, describe, expect, it } from 'vitest'
import { likeness } from '../../../lib/names/name-likeness.ts'
import { nameWords } from '../../../lib/names/name-words.ts'
import { buildIndex } from './build-index.ts'
import { createMatcher } from './match-name.ts'
import type { Hit, Person } from './record.ts'
import { inventNames } from './testing/invent-people.ts'
import { measureScreening } from './testing/measure-screening.ts'

const listed = [
  ['1', 'Muhammad Tamroz al-Qudlawi'],
  ['2', 'Сергей Шуморский'],
  ['3', 'Abd al-Rahman Shargham'],
  ['4', 'Ọlájídé Nduezemi'],
  ['5', 'Northgale Shipping Co. Ltd'],
  ['6', 'Hamzaqud'],
  ['7', 'Xu Qinglan'],
  ['8', 'Cho Un Gon'],
  ['9', 'Zberquin'],
] as const

let find: (person: Person) => Hit[]
beforeAll(async () => {
  const entries = listed.map(([entryId, name]) => ({
    versionId: 'v',
    source: 'ofac' as const,
    entryId,
    fingerprint: '',
    kind: entryId === '9' ? ('organisation' as const) : ('person' as const),
    names: [name],
    birthDates: entryId === '1' ? ['1971-02-03'] : [],
    countries: entryId === '1' ? ['IQ'] : [],
  }))
  find = createMatcher(await buildIndex(entries))
})
const found = (name: string, more: Omit<Person, 'name'> = {}): string[] =>
  find({ name, ...more }).map(({ entry }) => entry.entryId)

describe('the same person', () => {
  it.each([
    ['1', 'Mohamed Tamroz Qudlawi'],
    ['1', 'QUDLAWI, Muhammad Tamroz'],
    ['1', 'Mohammed Tamrouz El Kudlawi'],
    ['1', 'محمد تمروز قدلاوي'],
    ['1', 'Tamroz Qudlawi'],
    ['1', 'Muhammad T. Qudlawi'],
    ['1', 'Muhammad Tarmoz Qudlawi'],
    ['2', 'Sergei Shumorsky'],
    ['2', 'Serguei Choumorski'],
    ['3', 'Abdulrahman Shargham'],
    ['3', 'Abdel Rahman Sharqam'],
    ['4', 'Olajide Nduezemi'],
    ['4', 'Mr. Nduezemi Olajide'],
    ['5', 'Northgale Shipping'],
    ['6', 'Hamzaqud'],
    ['7', '许青岚'],
    ['7', 'Xu Qing Lan'],
    ['7', 'Qinglan XU'],
    ['8', '저은곤'],
    ['9', 'Zberquin Leasing of Kampala'],
  ])('%s is found as %s', (entryId, name) => {
    expect(found(name)).toContain(entryId)
  })
})

describe('another person', () => {
  it.each([
    'Muhammad Bilal Farouk',
    'Sergei Ivanov',
    'Muhammad Abdulrahman',
    'Xu Wang',
    'Abdulrahman',
    'Hamzaqud Ibrahim Sow',
    'Shipping',
    '',
    '—',
    '12345',
  ])('%s is nobody on the list', (name) => {
    expect(found(name)).toEqual([])
  })
})

describe('what is known besides the name', () => {
  const name = 'Mohamed Tamroz Qudlawi'
  const scoreOf = (more: Omit<Person, 'name'>): number => find({ name, ...more })[0]?.score ?? 0

  it('the date of birth and the country raise the score, and others lower it', () => {
    const plain = scoreOf({})
    expect(scoreOf({ dateOfBirth: '1971-02-03' })).toBeGreaterThan(plain)
    expect(scoreOf({ country: 'IQ' })).toBeGreaterThanOrEqual(plain)
    expect(scoreOf({ dateOfBirth: '1971-02-03', country: 'BR' })).toBeLessThanOrEqual(1)
    expect(scoreOf({ dateOfBirth: '1999-02-03' })).toBe(0)
  })
})

describe('for any invented names', () => {
  const names = inventNames(7, 300).filter((name) => !/\b(?:Abd|Abu|Al|El|Bin|Ibn|De|La|Del)/.test(name))

  it('likeness is symmetric, within 0 and 1, and 1 only for the same', () => {
    for (const [at, a] of names.entries()) {
      const b = names[(at * 7 + 1) % names.length] ?? ''
      const alike = likeness(a.toLowerCase(), b.toLowerCase())
      expect(likeness(b.toLowerCase(), a.toLowerCase())).toBeCloseTo(alike, 9)
      expect(alike).toBeGreaterThanOrEqual(0)
      expect(alike).toBeLessThanOrEqual(1)
      expect(alike === 1).toBe(a.toLowerCase() === b.toLowerCase())
    }
  })

  it('words are the same whatever case, order of accents and spaces the name has', () => {
    for (const name of names) {
      const { words } = nameWords(name)
      expect(nameWords(`  ${name.toUpperCase().normalize('NFD')}  `).words).toEqual(words)
    }
  })

  it('the order of the words does not change the score', async () => {
    const entries = names.map((name, at) => ({
      versionId: 'v',
      source: 'un' as const,
      entryId: String(at),
      fingerprint: '',
      kind: 'person' as const,
      names: [name],
      birthDates: [],
      countries: [],
    }))
    const search = createMatcher(await buildIndex(entries))
    for (const name of names.slice(0, 50)) {
      const reversed = name.split(' ').toReversed().join(' ')
      expect(search({ name: reversed })[0]?.score).toBe(search({ name })[0]?.score)
    }
  })
})

describe('a list as alike as the public ones', () => {
  it('disguised names are found, and few ordinary ones are held', async () => {
    const measured = await measureScreening({ entries: 20_000, perKind: 60, every: 10 })
    const recalls = measured.disguised.map(({ kind, asked, identified, foundByName, found }) => ({
      kind,
      byName: foundByName / identified,
      withSigns: found / asked,
    }))
    const isScript = (kind: string): boolean => kind.startsWith('in ')
    expect(recalls.filter(({ kind, byName }) => byName < (isScript(kind) ? 0.9 : 0.95))).toEqual([])
    expect(recalls.filter(({ withSigns }) => withSigns < 0.85)).toEqual([])
    const held = (count: 'byName' | 'withSigns'): number =>
      measured.ordinary.reduce((sum, row) => sum + row[count], 0)
    expect(held('byName')).toBeLessThan(20)
    expect(held('withSigns')).toBeLessThan(8)
  }, 120_000)
})
