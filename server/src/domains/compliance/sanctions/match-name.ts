import {
  compareNames,
  partBits,
  type ComparedName,
  type ListedName,
} from '../../../lib/names/compare-names.ts'
import { foldWord, likeness, likenessLimit, soundCounts, soundKey } from '../../../lib/names/name-likeness.ts'
import { nameWords, otherReadings } from '../../../lib/names/name-words.ts'
import { rarityOf, rarityWithoutVowels } from '../../../lib/names/word-rarity.ts'
import { soundsNear, wholesOf, type NameIndex } from './build-index.ts'
import type { Hit, Person } from './record.ts'
import { adjustedScore, hitBits, hitScore, mostSignBits, signBits } from './rules.ts'

/** Words that are less alike are other words. */
const alikeFrom = 0.78
/** How much of the shorter name must be alike before the names are compared word by word. */
const shareFrom = 0.65
/** What roundings and initials, which are not looked up, may add to the rarity of the words that were. */
const slackBits = 0.5
const initialsSlackBits = 4
/** Two words of a name have more in common, even if they are the commonest. */
const fewestBits = 6
const candidatesLimit = 50
const hitsLimit = 20

/** Reused by every search, because a search never waits. */
interface Scratch {
  /** The bits that each name has in common with the person's. */
  shared: Float32Array
  /** The names that have any, of which there are touchedCount. */
  touched: Int32Array
  touchedCount: number
  /** The search in which a word was last compared. */
  seenIn: Int32Array
  search: number
  /** The words that are like a word. */
  alike: Map<string, readonly number[]>
}

/** Names share their given names, so what is like a word is remembered. */
const cachedWordsLimit = 20_000

/** Finds the entries that the person possibly is. It only computes, and takes far less than a millisecond as a rule. */
export function createMatcher(index: NameIndex, leastBits = hitBits): (person: Person) => Hit[] {
  const scratch: Scratch = {
    shared: new Float32Array(index.entryOf.length),
    touched: new Int32Array(index.entryOf.length),
    touchedCount: 0,
    seenIn: new Int32Array(index.words.length),
    search: 0,
    alike: new Map(),
  }
  return (person) => {
    const best = new Map<number, number>()
    for (const reading of [nameWords(person.name), ...otherReadings(person.name)]) {
      const folded = [...new Set(reading.words.map(foldWord))]
      if (folded.length === 0) continue
      const wholes = [...new Set([reading.words.join(''), reading.whole].map(foldWord))]
      const name: ComparedName = {
        words: folded,
        sounds: folded.map(soundCounts),
        bits: folded.map(reading.isUnvowelled ? rarityWithoutVowels : rarityOf),
        wholes: () => wholes,
        isUnvowelled: reading.isUnvowelled,
        isTransliterated: reading.isTransliterated,
      }
      compareAll(index, { name, person, scratch, leastBits }, best)
    }
    return toHits(index, person, best)
  }
}

interface Query {
  name: ComparedName
  person: Person
  scratch: Scratch
  /** Fewer are a match by chance. */
  leastBits: number
}

/** The best name of each entry counts, if it is not a match by chance. */
function compareAll(index: NameIndex, query: Query, best: Map<number, number>): void {
  const { byWords, asOne } = candidatesFor(index, query)
  for (const candidate of new Set([...asOne, ...byWords])) {
    const at = index.entryOf[candidate] ?? 0
    const entry = index.entries[at]
    const { score, bits } = compareNames(query.name, listedName(index, candidate), {
      asOne: asOne.has(candidate),
    })
    if (!entry || score <= (best.get(at) ?? 0)) continue
    if (bits + signBits(query.person, entry) >= query.leastBits) best.set(at, score)
  }
}

function candidatesFor(
  index: NameIndex,
  query: Query,
): { byWords: readonly number[]; asOne: ReadonlySet<number> } {
  const { name, person, scratch, leastBits } = query
  const total = name.bits.reduce((sum, bits) => sum + bits, 0)
  const needed = leastBits - (name.words.some((word) => word.length === 1) ? initialsSlackBits : slackBits)
  addUp(index, query, Math.max(fewestBits, needed - mostSignBits(person)))
  const { shared } = scratch
  const touched = scratch.touched.subarray(0, scratch.touchedCount)
  const kept: number[] = []
  const isCandidate = (found: number): boolean => {
    const own = shared[found] ?? 0
    if (own < Math.min(partBits, shareFrom * Math.min(total, index.nameBits[found] ?? 0))) return false
    if (isOneWord(index, found)) return true
    const entry = index.entries[index.entryOf[found] ?? 0]
    return own >= needed || (entry !== undefined && own + signBits(person, entry) >= needed)
  }
  for (const found of touched) if (isCandidate(found)) kept.push(found)
  if (kept.length > candidatesLimit) kept.sort((a, b) => (shared[b] ?? 0) - (shared[a] ?? 0))
  for (const found of touched) shared[found] = 0
  scratch.touchedCount = 0
  const alikeAsOne = name.wholes().flatMap((whole) => index.byWholeSound.get(soundKey(whole)) ?? [])
  return { byWords: kept.slice(0, candidatesLimit), asOne: new Set(alikeAsOne) }
}

/** A company of one rare word is found by it, even if many entries have that word, as Sberbank and its branches do. */
const isOneWord = ({ wordsOfName: { starts }, isOrganisation }: NameIndex, name: number): boolean =>
  isOrganisation[name] === 1 && (starts[name + 1] ?? 0) - (starts[name] ?? 0) === 1

/**
 * Adds up, for each name that has a word like one of the person's, how rare those words are. The rarest come first: once
 * the rest cannot make a candidate by itself, it only adds to those that there are.
 */
function addUp(index: NameIndex, { name, scratch }: Query, needed: number): void {
  const { shared, touched } = scratch
  const { starts, values } = index.namesOfWord
  const rarestFirst = name.words
    .map((word, at) => ({ word, own: name.bits[at] ?? 0 }))
    .toSorted((a, b) => b.own - a.own)
  let rest = rarestFirst.reduce((sum, { own }) => sum + own, 0)
  for (const { word, own } of rarestFirst) {
    const mayBegin = rest >= needed
    if (!mayBegin && scratch.touchedCount === 0) return
    rest -= own
    for (const id of cachedWordsLike(index, word, { scratch, isUnvowelled: name.isUnvowelled })) {
      const bits = Math.min(own, index.bits[id] ?? 0)
      const end = starts[id + 1] ?? 0
      for (let place = starts[id] ?? 0; place < end; place++) {
        const found = values[place] ?? 0
        const before = shared[found] ?? 0
        if (before === 0 && !mayBegin) continue
        if (before === 0) touched[scratch.touchedCount++] = found
        shared[found] = before + bits
      }
    }
  }
}

interface Search {
  scratch: Scratch
  isUnvowelled: boolean
}

function cachedWordsLike(index: NameIndex, word: string, search: Search): readonly number[] {
  const { alike } = search.scratch
  const key = `${search.isUnvowelled ? 'unvowelled ' : ''}${word}`
  const known = alike.get(key)
  if (known) return known
  const found = wordsLike(index, word, search)
  if (alike.size >= cachedWordsLimit) alike.clear()
  alike.set(key, found)
  return found
}

function wordsLike(index: NameIndex, word: string, { scratch, isUnvowelled }: Search): number[] {
  if (word.length === 1) return []
  const { words, bySound, byNearSound } = index
  const counts = soundCounts(word)
  scratch.search++
  const found: number[] = []
  let isListed = false
  const compare = (ids: readonly number[] | undefined): void => {
    for (const id of ids ?? []) {
      if (scratch.seenIn[id] === scratch.search) continue
      scratch.seenIn[id] = scratch.search
      const other = words[id] ?? ''
      const longest = Math.max(word.length, other.length)
      if (likenessLimit(counts, index.soundCounts[id] ?? 0, longest) < alikeFrom) continue
      const alike = likeness(word, other, { isUnvowelled, atLeast: alikeFrom })
      if (alike > 0) found.push(id)
      if (alike === 1) isListed = true
    }
  }
  const sound = soundKey(word)
  compare(bySound.get(sound))
  // A word that the lists have is hardly a slip of another one.
  if (isListed) return found
  compare(byNearSound.get(sound))
  for (const near of soundsNear(sound)) {
    compare(bySound.get(near))
    compare(byNearSound.get(near))
  }
  return found
}

function toHits(index: NameIndex, person: Person, best: ReadonlyMap<number, number>): Hit[] {
  const hits: Hit[] = []
  for (const [at, score] of best) {
    const entry = index.entries[at]
    if (!entry) continue
    const adjusted = adjustedScore(score, person, entry)
    if (adjusted >= hitScore) hits.push({ entry, score: Math.round(adjusted * 1000) / 1000 })
  }
  return hits.toSorted((a, b) => b.score - a.score).slice(0, hitsLimit)
}

function listedName(index: NameIndex, name: number): ListedName {
  const { words, bits, wordsOfName, isUnvowelled, isOrganisation } = index
  const sounds = index.soundCounts
  const { starts, values } = wordsOfName
  const ids = [...values.subarray(starts[name], starts[name + 1])]
  const own = ids.map((id) => words[id] ?? '')
  const further = index.wholeOf.get(name)
  return {
    words: own,
    sounds: ids.map((id) => sounds[id] ?? 0),
    bits: ids.map((id) => bits[id] ?? 0),
    wholes: () => [...wholesOf(own), further ?? ''],
    isUnvowelled: isUnvowelled[name] === 1,
    isTransliterated: false,
    isOrganisation: isOrganisation[name] === 1,
    fullLength: further?.length,
  }
}
