import { compareNames, type ListedName } from '../../../lib/names/compare-names.ts'
import { foldWord, soundCounts } from '../../../lib/names/name-likeness.ts'
import { nameWords } from '../../../lib/names/name-words.ts'
import { rarityOf } from '../../../lib/names/word-rarity.ts'
import type { IndexedEntry, ListEntry, Person } from './record.ts'

/** From this score on, a person is a possible match, and people decide. See docs/sanctions.md for how it was chosen. */
export const hitScore = 0.9

/**
 * A match also has to be this unlikely by chance, in bits: those of its words, and those of what else is known. Common
 * names such as Mohammed Ali need a second sign, because among ordinary people many have them.
 */
export const hitBits = 18

export const dateLikenesses = ['same', 'same_year', 'near', 'other', 'unknown'] as const
type DateLikeness = (typeof dateLikenesses)[number]
export const countryLikenesses = ['same', 'other', 'unknown'] as const
type CountryLikeness = (typeof countryLikenesses)[number]

const dateAdjustments: Readonly<Record<DateLikeness, number>> = {
  same: 0.04,
  same_year: 0.02,
  near: 0,
  other: -0.1,
  unknown: 0,
}
/** Where somebody has an account says little about who they are, so another country is no evidence against a match. */
const countryAdjustments: Readonly<Record<CountryLikeness, number>> = { same: 0.01, other: 0, unknown: 0 }
/** Lists contain "circa", and dates of birth are given from memory. */
const yearsApart = 2

/** What is known besides the name moves the score; what either side does not know changes nothing. */
export const adjustedScore = (
  score: number,
  { dateOfBirth, country }: Person,
  entry: Pick<IndexedEntry, 'birthDates' | 'countries'>,
): number =>
  Math.min(
    1,
    Math.max(
      0,
      score +
        dateAdjustments[compareDates(dateOfBirth, entry.birthDates)] +
        countryAdjustments[compareCountries(country, entry.countries)],
    ),
  )

/** What is known besides the name, in bits: how rarely somebody else would agree in it. */
const signs = {
  sameDate: 14,
  /** A slip in the day or in the month, or both of them exchanged. */
  nearlySameDate: 6,
  /** The list knows the year only. */
  sameYear: 4,
  /** Two whole dates within two years. */
  differentDate: -3,
  otherDate: -6,
  sameCountry: 1,
} as const

export const signBits = (
  { dateOfBirth, country }: Person,
  entry: Pick<IndexedEntry, 'birthDates' | 'countries'>,
): number =>
  dateBits(dateOfBirth, entry.birthDates) +
  (compareCountries(country, entry.countries) === 'same' ? signs.sameCountry : 0)

/** The most that a list can say about what is known of the person. */
export const mostSignBits = ({ dateOfBirth, country }: Person): number =>
  (dateOfBirth === undefined ? 0 : signs.sameDate) + (country === undefined ? 0 : signs.sameCountry)

function dateBits(dateOfBirth: string | undefined, listed: readonly string[]): number {
  switch (compareDates(dateOfBirth, listed)) {
    case 'unknown':
      return 0
    case 'same':
      return signs.sameDate
    case 'same_year':
      if (listed.some((date) => isNearlySame(date, dateOfBirth ?? ''))) return signs.nearlySameDate
      return listed.some(isYear) ? signs.sameYear : signs.differentDate
    case 'near':
      return listed.some(isYear) ? 0 : signs.differentDate
    case 'other':
      return signs.otherDate
  }
}

const yearLength = 4
const isYear = (date: string): boolean => date.length === yearLength

function isNearlySame(one: string, other: string): boolean {
  const [year, month, day] = one.split('-')
  const [otherYear, otherMonth, otherDay] = other.split('-')
  if (year !== otherYear || day === undefined || otherDay === undefined) return false
  return month === otherMonth || day === otherDay || (month === otherDay && day === otherMonth)
}

function compareDates(dateOfBirth: string | undefined, listed: readonly string[]): DateLikeness {
  if (dateOfBirth === undefined || listed.length === 0) return 'unknown'
  if (listed.includes(dateOfBirth)) return 'same'
  const year = yearOf(dateOfBirth)
  const nearest = Math.min(...listed.map((date) => Math.abs(yearOf(date) - year)))
  if (nearest === 0) return 'same_year'
  return nearest > yearsApart ? 'other' : 'near'
}

const yearOf = (date: string): number => Number(date.slice(0, yearLength))

function compareCountries(country: string | undefined, listed: readonly string[]): CountryLikeness {
  if (country === undefined || listed.length === 0) return 'unknown'
  return listed.includes(country) ? 'same' : 'other'
}

/** Why a person possibly is an entry, in words for whoever decides. */
export interface Comparison {
  /** The name of the entry that is most like the person's. */
  closestName: string
  /** Whether that is not the first name of the entry. */
  isAlias: boolean
  dateOfBirth: DateLikeness
  country: CountryLikeness
}

/** Of a person who was erased. */
export const nothingToCompare: Comparison = {
  closestName: '',
  isAlias: false,
  dateOfBirth: 'unknown',
  country: 'unknown',
}

export function comparePerson(
  { name, dateOfBirth, country }: Person,
  { names, birthDates, countries }: Pick<ListEntry, 'names' | 'birthDates' | 'countries'>,
): Comparison {
  const own = plainName(name)
  const scores = names.map((one) => compareNames(own, plainName(one)).score)
  const closest = scores.indexOf(Math.max(...scores))
  return {
    closestName: names[closest] ?? '',
    isAlias: closest > 0,
    dateOfBirth: compareDates(dateOfBirth, birthDates),
    country: compareCountries(country, countries),
  }
}

/** Outside of the index nothing is known about the words of the lists. */
function plainName(name: string): ListedName {
  const { words, isUnvowelled, isTransliterated } = nameWords(name)
  const folded = [...new Set(words.map(foldWord))]
  return {
    words: folded,
    sounds: folded.map(soundCounts),
    bits: folded.map(rarityOf),
    wholes: () => [foldWord(words.join(''))],
    isUnvowelled,
    isTransliterated,
    isOrganisation: false,
    fullLength: undefined,
  }
}
