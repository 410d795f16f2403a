import { readFileSync } from 'node:fs'
import type { Dice } from './dice.ts'

/** Words with the frequency of each. */
export interface WordTable {
  /** The share of words that are in no table, because only one entry has them. */
  inventedShare: number
  words: readonly string[]
  /** The sum of the weights up to each word. */
  upTo: readonly number[]
}

const folder = '../../../../lib/names/testing/'

/** A file of headings in brackets, and below each, lines of a weight and the words that have it. */
export function readWordTables(file: string): (name: string) => WordTable {
  const tables = new Map<string, { inventedShare: number; words: string[]; upTo: number[] }>()
  let current: { inventedShare: number; words: string[]; upTo: number[] } | undefined
  for (const line of readFileSync(new URL(`${folder}${file}`, import.meta.url), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('[')) {
      const [name = '', share = ''] = line.slice(1).split(']')
      current = { inventedShare: Number(share), words: [], upTo: [] }
      tables.set(name, current)
      continue
    }
    const [weight, ...words] = line.split(' ')
    for (const word of words) {
      current?.words.push(word)
      current?.upTo.push((current.upTo.at(-1) ?? 0) + Number(weight))
    }
  }
  return (name) => {
    const table = tables.get(name)
    if (!table) throw new Error(`${file} has no words of ${name}`)
    return table
  }
}

/** A word of the table, as often as it occurs. */
export function pickWord(dice: Dice, { words, upTo }: WordTable): string {
  const rolled = dice.roll(upTo.at(-1) ?? 0)
  let [low, high] = [0, upTo.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((upTo[middle] ?? 0) > rolled) high = middle
    else low = middle + 1
  }
  return words[low] ?? ''
}

/** Invents words with the letters that follow each other in the words of a table. */
export function createWordMaker({ words }: WordTable): (dice: Dice) => string {
  const known = new Set(words)
  const after = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < fewestLetters) continue
    const framed = `^^${word}$`
    for (let at = 2; at < framed.length; at++) {
      const key = framed.slice(at - 2, at)
      const next = after.get(key) ?? []
      next.push(framed[at] ?? '')
      after.set(key, next)
    }
  }
  const make = (dice: Dice): string => {
    let word = '^^'
    while (word.length < mostLetters + 2) {
      const next = dice.pick(after.get(word.slice(-2)) ?? ['$'])
      if (next === '$') break
      word += next
    }
    return word.slice(2)
  }
  return (dice) => {
    for (;;) {
      const word = make(dice)
      if (word.length >= fewestLetters && !known.has(word)) return word
    }
  }
}
const fewestLetters = 4
const mostLetters = 12
