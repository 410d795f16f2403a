import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldWord, soundCounts, soundKey } from '../../../lib/names/name-likeness.ts'
import { nameWords } from '../../../lib/names/name-words.ts'
import { rarestBits, rarityOf } from '../../../lib/names/word-rarity.ts'
import type { EntryKind, IndexedEntry } from './record.ts'

/** An entry with the names under which it is found. */
export type NamedEntry = IndexedEntry & { names: readonly string[]; kind: EntryKind }

/** Rows of numbers of differing lengths in one array: row i is between starts[i] and starts[i + 1]. */
interface Rows {
  starts: Int32Array
  values: Int32Array
}

/** Every word of every name, and by which sounds it is found. Immutable once it is built. */
export interface NameIndex {
  entries: readonly IndexedEntry[]
  /** The entry of each name. */
  entryOf: Int32Array
  /** The distinct folded words, and the rarity of each in bits, among ordinary names and on the lists. */
  words: readonly string[]
  bits: Float32Array
  /** The consonants of each word, to tell quickly that two words differ. */
  soundCounts: Int32Array
  wordsOfName: Rows
  namesOfWord: Rows
  /** The words by their sound, and by their sound without any one of its consonants. */
  bySound: ReadonlyMap<string, readonly number[]>
  byNearSound: ReadonlyMap<string, readonly number[]>
  /** Whether the script of the name leaves out short vowels. */
  isUnvowelled: Uint8Array
  /** Whether the entry of each name is an organisation. */
  isOrganisation: Uint8Array
  /** The rarity of all words of each name. */
  nameBits: Float32Array
  /** The names of several words by the sound of all of them as one, also with the last word first. */
  byWholeSound: ReadonlyMap<string, readonly number[]>
  /** The names that as one word are more than their words, because they have titles or particles. */
  wholeOf: ReadonlyMap<number, string>
}

const turnMs = 8
/** The sound of a shorter word without a consonant is that of too many others. */
const nearSoundFrom = 4

export const soundsNear = (sound: string): string[] =>
  sound.length < nearSoundFrom
    ? []
    : Array.from({ length: sound.length }, (_, at) => sound.slice(0, at) + sound.slice(at + 1))

/** Gives way to requests every few milliseconds: a large list takes seconds. */
export async function buildIndex(
  source: AsyncIterable<NamedEntry> | Iterable<NamedEntry>,
): Promise<NameIndex> {
  const entries: IndexedEntry[] = []
  const entryOf: number[] = []
  const unvowelled: number[] = []
  const organisations: number[] = []
  const lists: number[][] = []
  const wholeOf = new Map<number, string>()
  const ids = new Map<string, number>()
  let since = performance.now()
  const yieldToOthers = async (): Promise<void> => {
    if (performance.now() - since < turnMs) return
    await nextTurn()
    since = performance.now()
  }
  for await (const { names, kind, ...entry } of source) {
    entries.push(entry)
    for (const name of new Set(names)) {
      const { words, whole, isUnvowelled } = nameWords(name)
      if (words.length === 0) continue
      if (words.length > 1 && [...new Set(words)].join('') !== whole)
        wholeOf.set(lists.length, foldWord(whole))
      entryOf.push(entries.length - 1)
      unvowelled.push(isUnvowelled ? 1 : 0)
      organisations.push(kind === 'organisation' ? 1 : 0)
      lists.push([...new Set(words.map((word) => idOf(ids, foldWord(word))))])
    }
    await yieldToOthers()
  }
  const words = [...ids.keys()]
  const { bySound, byNearSound } = await groupBySound(words, yieldToOthers)
  const wordsOfName = toRows(lists)
  const namesOfWord = invert(lists, words.length)
  const bits = rarities(words, namesOfWord, entryOf)
  const byWholeSound = await groupByWholeSound(words, { lists, wholeOf }, yieldToOthers)
  return {
    entries,
    entryOf: Int32Array.from(entryOf),
    words,
    soundCounts: Int32Array.from(words, soundCounts),
    bits,
    nameBits: Float32Array.from(lists, (list) => list.reduce((sum, id) => sum + (bits[id] ?? 0), 0)),
    byWholeSound,
    wholeOf,
    wordsOfName,
    namesOfWord,
    bySound,
    byNearSound,
    isUnvowelled: Uint8Array.from(unvowelled),
    isOrganisation: Uint8Array.from(organisations),
  }
}

function idOf(ids: Map<string, number>, word: string): number {
  const id = ids.get(word) ?? ids.size
  if (id === ids.size) ids.set(word, id)
  return id
}

async function groupBySound(
  words: readonly string[],
  yieldToOthers: () => Promise<void>,
): Promise<Pick<NameIndex, 'bySound' | 'byNearSound'>> {
  const bySound = new Map<string, number[]>()
  const byNearSound = new Map<string, number[]>()
  for (const [id, word] of words.entries()) {
    const sound = soundKey(word)
    push(bySound, sound, id)
    for (const near of soundsNear(sound)) push(byNearSound, near, id)
    if (id % 100 === 0) await yieldToOthers()
  }
  return { bySound, byNearSound }
}

/** All words of a name as one, in its order and with the last word first. */
export const wholesOf = (words: readonly string[]): readonly string[] => {
  const whole = foldWord(words.join(''))
  return words.length < 2 ? [whole] : [whole, foldWord([words.at(-1), ...words.slice(0, -1)].join(''))]
}

async function groupByWholeSound(
  words: readonly string[],
  { lists, wholeOf }: { lists: readonly (readonly number[])[]; wholeOf: ReadonlyMap<number, string> },
  yieldToOthers: () => Promise<void>,
): Promise<NameIndex['byWholeSound']> {
  const byWholeSound = new Map<string, number[]>()
  for (const [name, list] of lists.entries()) {
    if (list.length < 2) continue
    for (const whole of wholesOf(list.map((id) => words[id] ?? ''))) push(byWholeSound, soundKey(whole), name)
    const whole = wholeOf.get(name)
    if (whole !== undefined) push(byWholeSound, soundKey(whole), name)
    if (name % 100 === 0) await yieldToOthers()
  }
  return byWholeSound
}

function push(map: Map<string, number[]>, key: string, id: number): void {
  const list = map.get(key)
  if (!list) map.set(key, [id])
  else if (list.at(-1) !== id) list.push(id)
}

function toRows(lists: readonly (readonly number[])[]): Rows {
  const starts = new Int32Array(lists.length + 1)
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length
  return { starts, values: Int32Array.from(lists.flat()) }
}

function invert(lists: readonly (readonly number[])[], count: number): Rows {
  const starts = new Int32Array(count + 1)
  for (const list of lists) for (const id of list) starts[id + 1] = (starts[id + 1] ?? 0) + 1
  for (let id = 0; id < count; id++) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0)
  const next = starts.slice()
  const values = new Int32Array(starts[count] ?? 0)
  for (const [name, list] of lists.entries())
    for (const id of list) {
      const place = next[id] ?? 0
      values[place] = name
      next[id] = place + 1
    }
  return { starts, values }
}

/**
 * A word that many entries have identifies none of them: each of them is one more that an ordinary name could be taken
 * for. So does a word that is common among ordinary names.
 */
function rarities(
  words: readonly string[],
  { starts, values }: Rows,
  entryOf: readonly number[],
): Float32Array {
  return Float32Array.from(words, (word, id) => {
    let count = 0
    let last = -1
    for (let place = starts[id] ?? 0; place < (starts[id + 1] ?? 0); place++) {
      const entry = entryOf[values[place] ?? 0] ?? 0
      if (entry !== last) count++
      last = entry
    }
    return Math.min(rarityOf(word), rarestBits - Math.log2(Math.max(1, count)))
  })
}
