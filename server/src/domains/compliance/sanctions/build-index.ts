import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldWord, soundBits, soundKey } from '../../../lib/names/name-likeness.ts'
import { nameWords } from '../../../lib/names/name-words.ts'
import type { IndexedEntry } from './record.ts'

/** An entry with the names under which it is found. */
export type NamedEntry = IndexedEntry & { names: readonly string[] }

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
  /** The distinct folded words, and the rarity of each. */
  words: readonly string[]
  weights: Float32Array
  /** The consonants of each word, to tell quickly that two words differ. */
  soundBits: Int32Array
  /** Of a word that is in no name. */
  rarest: number
  wordsOfName: Rows
  namesOfWord: Rows
  /** The words by their sound, and by their sound without any one of its consonants. */
  bySound: ReadonlyMap<string, readonly number[]>
  byNearSound: ReadonlyMap<string, readonly number[]>
  /** Whether the script of the name leaves out short vowels. */
  isUnvowelled: Uint8Array
  /** The weight of all words of each name. */
  nameWeights: Float32Array
  /** The names of several words by the sound of all of them as one, also with the last word first. */
  byWholeSound: ReadonlyMap<string, readonly number[]>
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
  const lists: number[][] = []
  const ids = new Map<string, number>()
  let since = performance.now()
  const yieldToOthers = async (): Promise<void> => {
    if (performance.now() - since < turnMs) return
    await nextTurn()
    since = performance.now()
  }
  for await (const { names, ...entry } of source) {
    entries.push(entry)
    for (const name of new Set(names)) {
      const { words, isUnvowelled } = nameWords(name)
      if (words.length === 0) continue
      entryOf.push(entries.length - 1)
      unvowelled.push(isUnvowelled ? 1 : 0)
      lists.push([...new Set(words.map((word) => idOf(ids, foldWord(word))))])
    }
    await yieldToOthers()
  }
  const words = [...ids.keys()]
  const { bySound, byNearSound } = await groupBySound(words, yieldToOthers)
  const wordsOfName = toRows(lists)
  const namesOfWord = invert(lists, words.length)
  const weighed = weigh(namesOfWord, words.length, lists.length)
  const byWholeSound = await groupByWholeSound(words, lists, yieldToOthers)
  return {
    entries,
    entryOf: Int32Array.from(entryOf),
    words,
    soundBits: Int32Array.from(words, soundBits),
    ...weighed,
    nameWeights: Float32Array.from(lists, (list) =>
      list.reduce((sum, id) => sum + (weighed.weights[id] ?? 0), 0),
    ),
    byWholeSound,
    wordsOfName,
    namesOfWord,
    bySound,
    byNearSound,
    isUnvowelled: Uint8Array.from(unvowelled),
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
  lists: readonly (readonly number[])[],
  yieldToOthers: () => Promise<void>,
): Promise<NameIndex['byWholeSound']> {
  const byWholeSound = new Map<string, number[]>()
  for (const [name, list] of lists.entries()) {
    if (list.length < 2) continue
    for (const whole of wholesOf(list.map((id) => words[id] ?? ''))) push(byWholeSound, soundKey(whole), name)
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

/** A rare word identifies a person better than a common one. */
function weigh({ starts }: Rows, words: number, names: number): Pick<NameIndex, 'weights' | 'rarest'> {
  const weightOf = (count: number): number => Math.log(1 + names / count)
  const weights = new Float32Array(words)
  for (let id = 0; id < words; id++) weights[id] = weightOf((starts[id + 1] ?? 0) - (starts[id] ?? 0))
  return { weights, rarest: weightOf(1) }
}
