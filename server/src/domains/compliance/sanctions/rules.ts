import { foldWord, likeness } from '../../../lib/names/name-likeness.ts'
import { nameWords } from '../../../lib/names/name-words.ts'
import type { IndexedEntry, ListEntry, Person } from './record.ts'

/** From this score on, a person is a possible match, and people decide. See docs/sanctions.md for how it was chosen. */
export const hitScore = 0.9

/** A name that is ready to be compared. */
export interface ComparedName {
  /** Folded and distinct. */
  words: readonly string[]
  /** The rarity of each word. */
  weights: readonly number[]
  /** All words as one, for names that are split in another way. */
  wholes(this: void): readonly string[]
  isUnvowelled: boolean
  /** A listed name that identifies somebody, whatever other words stand beside it. */
  isRare: boolean
}

const alikeFrom = 0.75
const initialLikeness = 0.85
/** An initial identifies little, so it weighs little. */
const initialWeight = 0.25
/** Each further word of the longer name that has no counterpart. */
const extraWord = 0.03
const extraWordsLimit = 10
/** A rare name within a longer one is a match, however long that is. */
const extraWordsLimitOfRare = 3
const wholeFrom = 8
/** A name of one word is compared as one only with another of one word. */
const fewestWords = 2

interface Pair {
  left: number
  right: number
  alike: number
}

/**
 * From 0 to 1, whatever the order of the words: how far the shorter name is contained in the longer one, by the rarity
 * of its words, less a little for each further word of the longer one.
 */
export function nameScore(a: ComparedName, b: ComparedName): number {
  const [short, long] = a.words.length <= b.words.length ? [a, b] : [b, a]
  const isUnvowelled = a.isUnvowelled !== b.isUnvowelled
  const byWords = wordScore(short, long, isUnvowelled)
  return byWords >= hitScore ? byWords : Math.max(byWords, wholeScore(a, b, isUnvowelled))
}

function wordScore(short: ComparedName, long: ComparedName, isUnvowelled: boolean): number {
  const wholeWords = short.words.filter((word) => word.length > 1).length
  if (wholeWords < fewestWords && long.words.length > 1) return 0
  const pairs = pairWords(short, long, isUnvowelled)
  let covered = 0
  let total = 0
  for (const [at, word] of short.words.entries()) {
    const pair = pairs.find(({ left }) => left === at)
    const weight = weightIn(short, long, { at, word, pair })
    covered += weight * (pair?.alike ?? 0)
    total += weight
  }
  const limit = short.isRare ? extraWordsLimitOfRare : extraWordsLimit
  const extra = Math.min(long.words.length - short.words.length, limit)
  return (covered / total) * (1 - extraWord * extra)
}

/** A slip in each of two words weighs less in the whole, and so do words that are split in another place. */
function wholeScore(a: ComparedName, b: ComparedName, isUnvowelled: boolean): number {
  let best = 0
  for (const one of a.wholes())
    for (const other of b.wholes())
      if (Math.min(one.length, other.length) >= wholeFrom)
        best = Math.max(best, likeness(one, other, { isUnvowelled, atLeast: hitScore }))
  return best
}

function weightIn(
  short: ComparedName,
  long: ComparedName,
  { at, word, pair }: { at: number; word: string; pair: Pair | undefined },
): number {
  const weight = short.weights[at] ?? 0
  const isInitial = word.length === 1 || (pair && long.words[pair.right]?.length === 1)
  return isInitial === true ? weight * initialWeight : weight
}

/** Each word has one counterpart; the most alike find each other first. */
function pairWords(short: ComparedName, long: ComparedName, isUnvowelled: boolean): Pair[] {
  const all: Pair[] = []
  for (const [left, one] of short.words.entries())
    for (const [right, other] of long.words.entries()) {
      const alike = wordLikeness(one, other, isUnvowelled)
      if (alike >= alikeFrom) all.push({ left, right, alike })
    }
  all.sort((x, y) => y.alike - x.alike)
  const pairs: Pair[] = []
  for (const pair of all)
    if (!pairs.some(({ left, right }) => left === pair.left || right === pair.right)) pairs.push(pair)
  return pairs
}

function wordLikeness(one: string, other: string, isUnvowelled: boolean): number {
  if (one.length === 1 || other.length === 1)
    return one[0] === other[0] ? (one === other ? 1 : initialLikeness) : 0
  return likeness(one, other, { isUnvowelled, atLeast: alikeFrom })
}

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

function compareDates(dateOfBirth: string | undefined, listed: readonly string[]): DateLikeness {
  if (dateOfBirth === undefined || listed.length === 0) return 'unknown'
  if (listed.includes(dateOfBirth)) return 'same'
  const year = yearOf(dateOfBirth)
  const nearest = Math.min(...listed.map((date) => Math.abs(yearOf(date) - year)))
  if (nearest === 0) return 'same_year'
  return nearest > yearsApart ? 'other' : 'near'
}

const yearOf = (date: string): number => Number(date.slice(0, 4))

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
  const scores = names.map((one) => nameScore(own, plainName(one)))
  const closest = scores.indexOf(Math.max(...scores))
  return {
    closestName: names[closest] ?? '',
    isAlias: closest > 0,
    dateOfBirth: compareDates(dateOfBirth, birthDates),
    country: compareCountries(country, countries),
  }
}

/** Outside of the index nothing is known about the rarity of words, so each counts the same. */
function plainName(name: string): ComparedName {
  const { words, isUnvowelled } = nameWords(name)
  const folded = [...new Set(words.map(foldWord))]
  return {
    words: folded,
    weights: folded.map(() => 1),
    wholes: () => [foldWord(words.join(''))],
    isUnvowelled,
    isRare: false,
  }
}
