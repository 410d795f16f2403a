import { likeness, likenessLimit, soundsApart } from './name-likeness.ts'
import { rarestBits, rarityOf, servant } from './word-rarity.ts'

/** A name that is ready to be compared. */
export interface ComparedName {
  /** Folded and distinct. */
  words: readonly string[]
  /** The sounds of each word. */
  sounds: readonly number[]
  /** The rarity of each word, in bits. */
  bits: readonly number[]
  /** All words as one, for names that are split in another way. */
  wholes(this: void): readonly string[]
  isUnvowelled: boolean
  /** It was written in the letters of another script. */
  isTransliterated: boolean
}

export interface ListedName extends ComparedName {
  /** One rare word is enough to name a company, but not a person. */
  isOrganisation: boolean
  /** The length of the whole name written as one word, if it has titles, particles or legal forms, which `words` leaves out. */
  fullLength: number | undefined
}

interface NameComparison {
  /** From 0 to 1: how alike the names are, whatever the order of their words. */
  score: number
  /** How unlikely it is that an ordinary name agrees with the listed one as well as this: 20 bits are one in a million. */
  bits: number
}

const alikeFrom = 0.75
const initialLikeness = 0.85
/** An initial identifies little, so it weighs little. */
const initialWeight = 0.25
const initialBits = 3
/** What a word loses in rarity by each tenth that it is written differently: more words are as near as that. */
const bitsPerTenth = 3
const freeDifference = 0.08
/** Between two scripts no spelling is exact. */
const freeDifferenceOfScripts = 0.16
/** Each further word of the longer name that has no counterpart. A rare name is found within any longer one. */
const extraWord = 0.03
const extraWordsLimit = 3
/** Words that are together as rare as this identify somebody, even if the listed name has further words. */
export const partBits = 30
const partScore = 0.92
const partAlikeFrom = 0.88
const wholeFrom = 8
const sameWholeFrom = 5
/** A name of one word is compared as one only with another of one word. */
const fewestWords = 2
const oneWordBits = rarestBits - 1
const oneWordLetters = 5
const oneWordAlikeFrom = 0.97

interface Pair {
  left: number
  right: number
  alike: number
}

/**
 * How far the shorter name is contained in the longer one, by the rarity of its words. Names are compared as one word only
 * on demand, because that takes longest.
 */
export function compareNames(
  person: ComparedName,
  listed: ListedName,
  { asOne = true } = {},
): NameComparison {
  const isUnvowelled = person.isUnvowelled !== listed.isUnvowelled
  const pairs = pairWords(person, listed, isUnvowelled)
  const byWords = { score: wordScore(person, listed, pairs), bits: bitsOf(person, listed, pairs) }
  if (byWords.score >= partScore) return byWords
  const part = partOf(person, listed, pairs)
  const best = part.score > byWords.score ? part : byWords
  if (!asOne || !mayBeAlikeAsOne(person, listed)) return best
  const whole = compareWholes(person, listed, isUnvowelled)
  return whole.score > best.score ? whole : best
}

function wordScore(person: ComparedName, listed: ListedName, pairs: readonly Pair[]): number {
  const isPersonShorter = person.words.length <= listed.words.length
  const [short, long] = isPersonShorter ? [person, listed] : [listed, person]
  const wholeWords = short.words.filter((word) => word.length > 1).length
  const isOneWord = pairs.some((pair) => isNamedByOneWord(person, listed, pair))
  if (wholeWords < fewestWords && long.words.length > 1 && !isOneWord) return 0
  let [covered, total] = [0, 0]
  for (const [at, word] of short.words.entries()) {
    const pair = pairs.find(({ left, right }) => (isPersonShorter ? left : right) === at)
    const other = pair && long.words[isPersonShorter ? pair.right : pair.left]
    const isInitial = word.length === 1 || other?.length === 1
    const weight = (short.bits[at] ?? 0) * (isInitial ? initialWeight : 1)
    covered += weight * (pair?.alike ?? 0)
    total += weight
  }
  const extra = Math.min(long.words.length - short.words.length, extraWordsLimit)
  return (covered / total) * (1 - extraWord * extra)
}

/** One rare word that is the whole name of both, or a company such as Sberbank within the name of a branch. */
function isNamedByOneWord(person: ComparedName, listed: ListedName, { left, alike }: Pair): boolean {
  const [word = ''] = listed.words
  if (listed.words.length > 1 || alike < oneWordAlikeFrom) return false
  if (Math.min(rarityOf(word), person.bits[left] ?? 0) < oneWordBits) return false
  if (person.words.length === 1) return true
  return (listed.isOrganisation || word.startsWith(servant)) && word.length >= oneWordLetters
}

function bitsOf(person: ComparedName, listed: ListedName, pairs: readonly Pair[]): number {
  if (pairs.some((pair) => isNamedByOneWord(person, listed, pair))) return partBits
  let bits = 0
  for (const pair of pairs) bits += pairBits(person, listed, pair)
  const { length } = pairs
  if (length === listed.words.length) return bits
  return bits - choiceBits(person.words.length, length) - choiceBits(listed.words.length, length)
}

/** The commoner of the two words counts: a rare spelling of a common name is not rare. */
function pairBits(person: ComparedName, listed: ListedName, { left, right, alike }: Pair): number {
  if (person.words[left]?.length === 1 || listed.words[right]?.length === 1) return initialBits
  const bits = Math.min(person.bits[left] ?? 0, listed.bits[right] ?? 0)
  const free = person.isTransliterated ? freeDifferenceOfScripts : freeDifference
  return Math.max(0, bits - Math.max(0, 1 - alike - free) * 10 * bitsPerTenth)
}

/** Some words of many agree more easily. Words beside the whole of a listed name, however, change nothing. */
const choiceBits = (words: number, chosen: number): number =>
  chosen === 0 ? 0 : chosen * Math.log2(words / chosen)

/** At least two words that are rare together, whatever other words either name has. */
function partOf(person: ComparedName, listed: ListedName, pairs: readonly Pair[]): NameComparison {
  const alike = pairs.filter(
    (pair) => pair.alike >= partAlikeFrom && (person.words[pair.left]?.length ?? 0) > 1,
  )
  const bits = alike.length < fewestWords ? 0 : bitsOf(person, listed, alike)
  if (bits < partBits) return { score: 0, bits }
  return { score: partScore * (alike.reduce((sum, pair) => sum + pair.alike, 0) / alike.length), bits }
}

/** What the quick comparison of lengths and sounds may be wrong by, where words that are joined sound different. */
const slackLetters = 3

function mayBeAlikeAsOne(person: ComparedName, listed: ListedName): boolean {
  const length = listed.words.reduce((sum, word) => sum + word.length, 0)
  const isAsLong = person
    .wholes()
    .some((whole) => [length, listed.fullLength ?? length].some((own) => isNearInLength(own, whole.length)))
  if (!isAsLong || listed.fullLength !== undefined) return isAsLong
  const limit = (1 - wholeAlikeFrom) * Math.max(length, ...person.wholes().map((whole) => whole.length))
  return soundsApart(person.sounds, listed.sounds) <= limit + slackLetters
}

/** A letter that only one of them has costs at least a third of a letter. */
const isNearInLength = (one: number, other: number): boolean =>
  Math.abs(one - other) / 3 <= (1 - wholeAlikeFrom) * Math.max(one, other) + slackLetters / 3

/** A slip in each of two words weighs less in the whole, and so do words that are split in another place. */
function compareWholes(person: ComparedName, listed: ListedName, isUnvowelled: boolean): NameComparison {
  let score = 0
  for (const one of person.wholes())
    for (const other of listed.wholes())
      if (!isUnvowelled && !isNearInLength(one.length, other.length)) continue
      else if (one === other && one.length >= sameWholeFrom) score = 1
      else if (Math.min(one.length, other.length) >= wholeFrom)
        score = Math.max(score, likeness(one, other, { isUnvowelled, atLeast: wholeAlikeFrom }))
  const own = person.words.length === 1 ? Number.POSITIVE_INFINITY : sumOf(person.bits)
  const bits = Math.min(own, sumOf(listed.bits))
  return { score, bits: bits - (1 - score) * 10 * bitsPerTenth * listed.words.length }
}
const sumOf = (all: readonly number[]): number => all.reduce((sum, bits) => sum + bits, 0)
const wholeAlikeFrom = 0.9

/** Each word has one counterpart; the most alike find each other first. */
function pairWords(person: ComparedName, listed: ListedName, isUnvowelled: boolean): Pair[] {
  const all: Pair[] = []
  for (const [left, one] of person.words.entries())
    for (const [right, other] of listed.words.entries()) {
      if (listed.isOrganisation && (one.length === 1) !== (other.length === 1)) continue
      const longest = Math.max(one.length, other.length)
      const limit = likenessLimit(person.sounds[left] ?? 0, listed.sounds[right] ?? 0, longest)
      if (limit < alikeFrom && one.length > 1 && other.length > 1) continue
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
