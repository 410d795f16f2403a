import { foldWord, likeness, likenessLimit, soundBits, soundKey } from '../../../lib/names/name-likeness.ts'
import { nameWords, otherReadings } from '../../../lib/names/name-words.ts'
import { soundsNear, wholesOf, type NameIndex } from './build-index.ts'
import type { Hit, Person } from './record.ts'
import { adjustedScore, hitScore, nameScore, type ComparedName } from './rules.ts'

/** Words that are less alike are other words. */
const alikeFrom = 0.78
/** How much of the person's name must be alike before it is compared word by word, or how much of the listed name. */
const shareFrom = 0.3
const listedShareFrom = 0.6
/** A word of more names than this does not lead to names by itself when it is a small part of the person's. */
const commonFrom = 200
const candidatesLimit = 100
const hitsLimit = 20

/** Reused by every search, because a search never waits. */
interface Scratch {
  share: Float32Array
  touched: number[]
  /** The search in which a word was last compared. */
  seenIn: Int32Array
  search: number
  alike: Map<string, readonly AlikeWord[]>
}

interface AlikeWord {
  id: number
  alike: number
}

/** Names share their given names, so what is like a word is remembered. */
const cachedWordsLimit = 20_000

/** Finds the entries that the person possibly is. It only computes, and takes far less than a millisecond as a rule. */
export function createMatcher(index: NameIndex): (person: Person) => Hit[] {
  const scratch: Scratch = {
    share: new Float32Array(index.entryOf.length),
    touched: [],
    seenIn: new Int32Array(index.words.length),
    search: 0,
    alike: new Map(),
  }
  return (person) => {
    const best = new Map<number, number>()
    for (const reading of [nameWords(person.name), ...otherReadings(person.name)]) {
      const folded = [...new Set(reading.words.map(foldWord))]
      if (folded.length === 0) continue
      const name: ComparedName = {
        words: folded,
        weights: folded.map((word) => weightOf(index, word)),
        wholes: () => [foldWord(reading.words.join(''))],
        isUnvowelled: reading.isUnvowelled,
        isRare: false,
      }
      compareAll(index, name, { candidates: candidatesFor(index, name, scratch), best })
    }
    return toHits(index, person, best)
  }
}

function weightOf({ words, weights, bySound, rarest }: NameIndex, word: string): number {
  const id = bySound.get(soundKey(word))?.find((one) => words[one] === word)
  return id === undefined ? rarest : (weights[id] ?? rarest)
}

/**
 * Adds up, for each name that has a word like one of the person's, how much of the person's name that is. The rarest
 * words come first: once the rest cannot make a candidate by itself, it only adds to those that there are.
 */
function candidatesFor(index: NameIndex, name: ComparedName, scratch: Scratch): number[] {
  const { share, touched } = scratch
  const total = name.weights.reduce((sum, weight) => sum + weight, 0)
  const parts = name.words
    .map((word, at) => ({ word, part: (name.weights[at] ?? 0) / total }))
    .toSorted((a, b) => b.part - a.part)
  let rest = 1
  for (const { word, part } of parts) {
    const isLarge = rest >= shareFrom
    rest -= part
    for (const { id, alike } of cachedWordsLike(index, word, { scratch, isUnvowelled: name.isUnvowelled })) {
      const { starts, values } = index.namesOfWord
      const end = starts[id + 1] ?? 0
      const mayAdd = isLarge || end - (starts[id] ?? 0) < commonFrom
      for (let place = starts[id] ?? 0; place < end; place++) {
        const found = values[place] ?? 0
        const before = share[found] ?? 0
        if (before === 0 && !mayAdd) continue
        if (before === 0) touched.push(found)
        share[found] = before + part * alike
      }
    }
  }
  const kept = touched.filter((found) => {
    const own = share[found] ?? 0
    return own >= shareFrom || own * total >= listedShareFrom * (index.nameWeights[found] ?? 0)
  })
  if (kept.length > candidatesLimit) kept.sort((a, b) => (share[b] ?? 0) - (share[a] ?? 0))
  for (const found of touched) share[found] = 0
  touched.length = 0
  const [whole = ''] = name.wholes()
  return [...new Set([...kept.slice(0, candidatesLimit), ...(index.byWholeSound.get(soundKey(whole)) ?? [])])]
}

interface Search {
  scratch: Scratch
  isUnvowelled: boolean
}

function cachedWordsLike(index: NameIndex, word: string, search: Search): readonly AlikeWord[] {
  const { alike } = search.scratch
  const key = `${search.isUnvowelled ? 'unvowelled ' : ''}${word}`
  const known = alike.get(key)
  if (known) return known
  const found = wordsLike(index, word, search)
  if (alike.size >= cachedWordsLimit) alike.clear()
  alike.set(key, found)
  return found
}

function wordsLike(index: NameIndex, word: string, { scratch, isUnvowelled }: Search): AlikeWord[] {
  if (word.length === 1) return []
  const { words, bySound, byNearSound } = index
  const bits = soundBits(word)
  scratch.search++
  const found: AlikeWord[] = []
  const compare = (ids: readonly number[] | undefined): void => {
    for (const id of ids ?? []) {
      if (scratch.seenIn[id] === scratch.search) continue
      scratch.seenIn[id] = scratch.search
      const other = words[id] ?? ''
      const longest = Math.max(word.length, other.length)
      if (likenessLimit(bits, index.soundBits[id] ?? 0, longest) < alikeFrom) continue
      const alike = likeness(word, other, { isUnvowelled, atLeast: alikeFrom })
      if (alike > 0) found.push({ id, alike })
    }
  }
  const sound = soundKey(word)
  compare(bySound.get(sound))
  // A word that the lists have is hardly a slip of another one.
  if (found.some(({ alike }) => alike === 1)) return found
  compare(byNearSound.get(sound))
  for (const near of soundsNear(sound)) {
    compare(bySound.get(near))
    compare(byNearSound.get(near))
  }
  return found
}

/** The best name of each entry counts. */
function compareAll(
  index: NameIndex,
  name: ComparedName,
  { candidates, best }: { candidates: readonly number[]; best: Map<number, number> },
): void {
  for (const candidate of candidates) {
    const score = nameScore(name, comparedName(index, candidate))
    const entry = index.entryOf[candidate] ?? 0
    if (score > (best.get(entry) ?? 0)) best.set(entry, score)
  }
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

/** Names whose words are together at least this many times as rare as one word that only one name has. */
const rareFrom = 1.25

function comparedName(index: NameIndex, name: number): ComparedName {
  const { words, weights, wordsOfName, isUnvowelled, nameWeights, rarest } = index
  const { starts, values } = wordsOfName
  const ids = [...values.subarray(starts[name], starts[name + 1])]
  const own = ids.map((id) => words[id] ?? '')
  return {
    words: own,
    weights: ids.map((id) => weights[id] ?? 0),
    wholes: () => wholesOf(own),
    isUnvowelled: isUnvowelled[name] === 1,
    isRare: (nameWeights[name] ?? 0) >= rareFrom * rarest,
  }
}
