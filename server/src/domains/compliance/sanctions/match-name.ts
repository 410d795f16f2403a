import { foldWord, likeness, likenessLimit, soundBits, soundKey } from '../../../lib/names/name-likeness.ts'
import { nameWords } from '../../../lib/names/name-words.ts'
import { soundsNear, type NameIndex } from './build-index.ts'
import type { Hit, Person } from './record.ts'
import { adjustedScore, hitScore, nameScore, type ComparedName } from './rules.ts'

/** Words that are less alike are other words. */
const alikeFrom = 0.78
/** How much of a name's weight must be alike before it is compared word by word. */
const shareFrom = 0.3
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
    const { words, isUnvowelled } = nameWords(person.name)
    const folded = [...new Set(words.map(foldWord))]
    if (folded.length === 0) return []
    const name: ComparedName = {
      words: folded,
      weights: folded.map((word) => weightOf(index, word)),
      joined: () => foldWord(words.join('')),
      isUnvowelled,
    }
    return toHits(index, person, name, candidatesFor(index, name, scratch))
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
    const mayAdd = rest >= shareFrom
    rest -= part
    for (const { id, alike } of cachedWordsLike(index, word, { scratch, isUnvowelled: name.isUnvowelled })) {
      const { starts, values } = index.namesOfWord
      const end = starts[id + 1] ?? 0
      for (let place = starts[id] ?? 0; place < end; place++) {
        const found = values[place] ?? 0
        const before = share[found] ?? 0
        if (before === 0 && !mayAdd) continue
        if (before === 0) touched.push(found)
        share[found] = before + part * alike
      }
    }
  }
  const kept = touched.filter((found) => (share[found] ?? 0) >= shareFrom)
  if (kept.length > candidatesLimit) kept.sort((a, b) => (share[b] ?? 0) - (share[a] ?? 0))
  for (const found of touched) share[found] = 0
  touched.length = 0
  return kept.slice(0, candidatesLimit)
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
function toHits(index: NameIndex, person: Person, name: ComparedName, candidates: readonly number[]): Hit[] {
  const best = new Map<number, number>()
  for (const candidate of candidates) {
    const score = nameScore(name, comparedName(index, candidate))
    const entry = index.entryOf[candidate] ?? 0
    if (score > (best.get(entry) ?? 0)) best.set(entry, score)
  }
  const hits: Hit[] = []
  for (const [at, score] of best) {
    const entry = index.entries[at]
    if (!entry) continue
    const adjusted = adjustedScore(score, person, entry)
    if (adjusted >= hitScore) hits.push({ entry, score: Math.round(adjusted * 1000) / 1000 })
  }
  return hits.toSorted((a, b) => b.score - a.score).slice(0, hitsLimit)
}

function comparedName({ words, weights, wordsOfName, isUnvowelled }: NameIndex, name: number): ComparedName {
  const { starts, values } = wordsOfName
  const ids = [...values.subarray(starts[name], starts[name + 1])]
  const own = ids.map((id) => words[id] ?? '')
  return {
    words: own,
    weights: ids.map((id) => weights[id] ?? 0),
    joined: () => foldWord(own.join('')),
    isUnvowelled: isUnvowelled[name] === 1,
  }
}
