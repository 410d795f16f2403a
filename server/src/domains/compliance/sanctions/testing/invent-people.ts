import type { EntryKind, ListEntry } from '../record.ts'
import { createDice, type Dice } from './dice.ts'
import { createWordMaker, pickWord, readWordTables, type WordTable } from './word-tables.ts'

const cultures = ['arabic', 'persian', 'slavic', 'latin', 'eastern', 'african'] as const
type Culture = (typeof cultures)[number]

/** How many of 100 entries are of each kind; the rest are organisations. */
const shares: Readonly<Record<Culture, number>> = {
  arabic: 17,
  persian: 8,
  slavic: 21,
  latin: 11,
  eastern: 5,
  african: 3,
}
/** How many given names and surnames a listed name has, as often as it is written here. */
const lengths: Readonly<Record<Culture, string>> = {
  arabic: '1+1 1+1 1+1 1+1 2+1 2+1 1+2 3+2 2+2 3+1 4+1',
  persian: '1+1 1+1 1+1 1+1 1+1 1+1 2+1 2+1 2+1 3+1',
  slavic: '2+1 2+1 2+1 2+1 2+1 1+1 1+1 1+1 1+1 1+1',
  latin: '2+2 2+2 2+2 2+2 2+2 1+2 1+2 1+2 2+1 1+1',
  eastern: '2+1 2+1 2+1 2+1 2+1 1+1 1+1 1+1 1+1',
  african: '1+1 1+1 1+1 1+1 2+1 2+1 2+1 3+1',
}
const organisationLengths = [1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 7, 8]
const aliases = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 6]
const countriesOf: Readonly<Record<Culture, readonly string[]>> = {
  arabic: ['IQ', 'SY', 'YE', 'LY', 'LB', 'SA', 'EG', 'TN'],
  persian: ['IR', 'AF', 'PK'],
  slavic: ['RU', 'RU', 'RU', 'BY', 'UA', 'RS'],
  latin: ['MX', 'CO', 'VE', 'CU'],
  eastern: ['CN', 'KP', 'MM', 'HK'],
  african: ['ZW', 'CD', 'SO', 'NG', 'KE', 'UG'],
}
/** The decades in which the people on the lists were born. */
const decades = [
  1930, 1940, 1940, 1950, 1950, 1950, 1950, 1960, 1960, 1960, 1960, 1960, 1970, 1970, 1970, 1980,
]

const particles = new Set(
  'al el bin ibn abd abu de la del van von da dos of and the for in e y a s c v r l m p d u t k j o b i fi'.split(
    ' ',
  ),
)
const tables = readWordTables('list-words.txt')

interface Source {
  table: WordTable
  make(this: void, dice: Dice): string
}
const sources = new Map<string, Source>()
function sourceOf(name: string): Source {
  const known = sources.get(name)
  if (known) return known
  const table = tables(name)
  const source = { table, make: createWordMaker(table) }
  sources.set(name, source)
  return source
}

/** As many words; a particle and the word behind it are one. */
function pickWords(dice: Dice, name: string, count: number): string[] {
  const { table, make } = sourceOf(name)
  const words: string[] = []
  while (words.length < count) {
    const parts: string[] = []
    while (parts.length < 3) {
      const word = dice.roll(100) < table.inventedShare * 100 ? make(dice) : pickWord(dice, table)
      parts.push(capital(word))
      if (!particles.has(word)) break
    }
    words.push(parts.join(' '))
  }
  return words
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

export interface InventedEntry {
  culture: Culture | 'organisation'
  /** As the list has it, given names first. Particles belong to the word behind them. */
  words: readonly string[]
  entry: ListEntry
}

function inventWords(dice: Dice, culture: Culture | 'organisation'): string[] {
  if (culture === 'organisation') return pickWords(dice, 'organisation', dice.pick(organisationLengths))
  const [given = 1, family = 1] = dice.pick(lengths[culture].split(' ')).split('+').map(Number)
  return [...pickWords(dice, `${culture} given`, given), ...pickWords(dice, `${culture} surname`, family)]
}

/** An entry as the public lists have it: some words common, as there, and the others invented. */
export function inventEntry(dice: Dice, entryId: string): InventedEntry {
  const culture = pickCulture(dice)
  const words = inventWords(dice, culture)
  const kind: EntryKind = culture === 'organisation' ? 'organisation' : 'person'
  const names = [
    words.join(' '),
    ...Array.from({ length: dice.pick(aliases) }, () => inventAlias(dice, culture, words)),
  ]
  return {
    culture,
    words,
    entry: {
      entryId,
      kind,
      names: [...new Set(names)],
      birthDates: culture === 'organisation' ? [] : inventBirthDates(dice),
      countries: [
        culture === 'organisation'
          ? dice.pick(Object.values(countriesOf).flat())
          : dice.pick(countriesOf[culture]),
      ],
      programmes: ['TEST'],
    },
  }
}

function pickCulture(dice: Dice): Culture | 'organisation' {
  let left = dice.roll(100)
  for (const culture of cultures) {
    if (left < shares[culture]) return culture
    left -= shares[culture]
  }
  return 'organisation'
}

const respellings: readonly (readonly [string, string])[] = [
  ['u', 'o'],
  ['i', 'e'],
  ['q', 'k'],
  ['y', 'i'],
  ['h', ''],
  ['v', 'w'],
]

/** Another spelling, a part of the name, or another name. */
function inventAlias(dice: Dice, culture: Culture | 'organisation', words: readonly string[]): string {
  const which = dice.roll(20)
  const [from, to] = dice.pick(respellings)
  if (which < 10) return words.map((word) => word.replace(from, to)).join(' ')
  if (which < 15 && words.length > 2) return words.filter((_, at) => at !== 1).join(' ')
  if (which < 18) return inventWords(dice, culture).join(' ')
  return inventWords(dice, culture).at(-1) ?? ''
}

const two = (value: number): string => String(value).padStart(2, '0')

export const inventBirthDate = (dice: Dice, decade: number): string =>
  `${decade + dice.roll(10)}-${two(1 + dice.roll(12))}-${two(1 + dice.roll(28))}`

/** Some are known by the year only, and a few not at all. */
function inventBirthDates(dice: Dice): string[] {
  const which = dice.roll(100)
  const date = inventBirthDate(dice, dice.pick(decades))
  if (which < 4) return []
  return [which < 20 ? date.slice(0, 4) : date]
}

/** Names of people who are listed, for tests that need some. */
export function inventNames(seed: number, count: number): string[] {
  const dice = createDice(seed)
  return Array.from({ length: count }, () => inventWords(dice, dice.pick(cultures)).join(' '))
}
