/** How alike two words of names are when they may be spelled by ear, in another script, or with a slip. */

const digraphs: readonly (readonly [RegExp, string])[] = [
  [/ks/g, 'x'],
  [/c(?=[eiy])/g, 's'],
  [/shch|sch|tch|tsch/g, 's'],
  [/sh|ch|ts|tz|cz|zh|dzh/g, 's'],
  [/kh|gh|ck|q|x(?=[aeiou])/g, 'k'],
  [/th|dh/g, 't'],
  [/ph/g, 'f'],
  [/dj|dz/g, 'j'],
  [/ou|oo/g, 'u'],
  [/ee|ie/g, 'i'],
  [/(.)\1+/g, '$1'],
]

/** The form in which words are compared: what is only another way to write the same sound is written once. */
export const foldWord = (word: string): string =>
  digraphs.reduce((folded, [pattern, by]) => folded.replace(pattern, by), word)

const consonants: Readonly<Record<string, string>> = {
  b: 'p',
  c: 'k',
  d: 't',
  f: 'f',
  g: 'k',
  h: 'h',
  j: 'j',
  k: 'k',
  l: 'l',
  m: 'm',
  n: 'n',
  p: 'p',
  q: 'k',
  r: 'r',
  s: 's',
  t: 't',
  v: 'f',
  w: 'f',
  x: 's',
  z: 's',
}

const keyLimit = 8

/**
 * The consonants of a folded word, those that are taken for each other as one. Words that sound alike share it, so it
 * finds candidates; `likeness` judges them.
 */
export function soundKey(folded: string): string {
  let key = ''
  for (const letter of folded) {
    const sound = consonants[letter] ?? (/[a-z]/.test(letter) ? '' : letter)
    if (sound !== '' && !key.endsWith(sound)) key += sound
    if (key.length === keyLimit) break
  }
  return key === '' ? folded.slice(0, 1) : key
}

const sounds = 'pkfjlmnrst'
const vowels = 'aeiouyw'
const bitsPerCount = 3
const highestCount = 7
const allBits = sounds.length * bitsPerCount

/** How often each consonant sound is in a folded word, three bits for each. */
export function soundCounts(folded: string): number {
  let counts = 0
  for (const letter of folded) {
    const at = sounds.indexOf(consonants[letter] ?? ' ') * bitsPerCount
    if (at >= 0 && ((counts >> at) & highestCount) < highestCount) counts += 1 << at
  }
  return counts
}

const countAt = (counts: readonly number[], at: number): number => {
  let sum = 0
  for (const own of counts) sum += (own >> at) & highestCount
  return sum
}

/** How many sounds one of two names has that the other lacks, from the sounds of their words. */
export function soundsApart(a: readonly number[], b: readonly number[]): number {
  let own = 0
  let other = 0
  for (let at = 0; at < allBits; at += bitsPerCount) {
    const surplus = countAt(a, at) - countAt(b, at)
    if (surplus > 0) own += surplus
    else other -= surplus
  }
  return Math.max(own, other)
}

/** The most alike that words with these sounds can be, which is quickly known: what one of them lacks costs a letter. */
export function likenessLimit(a: number, b: number, longest: number): number {
  let own = 0
  let other = 0
  for (let at = 0; at < allBits; at += bitsPerCount) {
    const surplus = ((a >> at) & highestCount) - ((b >> at) & highestCount)
    if (surplus > 0) own += surplus
    else other -= surplus
  }
  return 1 - Math.max(own, other) / longest
}

const costs = { vowel: 0.3, vowelGap: 0.4, soundalike: 0.35, h: 0.35, other: 1, unwritten: 0.1 } as const

/** Letters of other scripts share the last place: they are equal or cost as much as any other letter. */
const codes = 128
const placeOf = (code: number): number => (code < codes ? code : codes - 1)

const letterAt = (code: number): string => String.fromCharCode(code)

const substitutions = Float64Array.from({ length: codes * codes }, (_, pair) => {
  const [a, b] = [letterAt(Math.floor(pair / codes)), letterAt(pair % codes)]
  if (vowels.includes(a) && vowels.includes(b)) return costs.vowel
  return consonants[a] !== undefined && consonants[a] === consonants[b] ? costs.soundalike : costs.other
})

const gapsOf = (vowelGap: number): Float64Array =>
  Float64Array.from({ length: codes }, (_, code) => {
    if (vowels.includes(letterAt(code))) return vowelGap
    return letterAt(code) === 'h' ? costs.h : costs.other
  })
const gaps = gapsOf(costs.vowelGap)
const unvowelledGaps = gapsOf(costs.unwritten)

const lettersLimit = 64
const rows = [0, 1, 2].map(() => new Float64Array(lettersLimit + 1))

interface Comparison {
  /** A script without short vowels: a missing vowel costs next to nothing. */
  isUnvowelled?: boolean
  /** What is less alike is of no interest, and 0. */
  atLeast?: number
}

/**
 * From 0 to 1: the edit distance of two folded words, in which vowels, silent letters and similar sounds cost less, and
 * a swap of neighbours as much as one letter.
 */
export function likeness(
  a: string,
  b: string,
  { isUnvowelled = false, atLeast = 0 }: Comparison = {},
): number {
  if (a === b) return 1
  const [m, n] = [Math.min(a.length, lettersLimit), Math.min(b.length, lettersLimit)]
  if (m === 0 || n === 0) return 0
  const gap = isUnvowelled ? unvowelledGaps : gaps
  const longest = Math.max(m, n)
  const limit = (1 - atLeast) * longest + 1e-9
  let [older, former, current] = rows as [Float64Array, Float64Array, Float64Array] // three by construction
  former[0] = 0
  for (let j = 1; j <= n; j++) former[j] = at(former, j - 1) + at(gap, placeOf(b.charCodeAt(j - 1)))
  for (let i = 1; i <= m; i++) {
    const codeA = a.charCodeAt(i - 1)
    const placeA = placeOf(codeA)
    const gapA = at(gap, placeA)
    let left = at(former, 0) + gapA
    let least = left
    current[0] = left
    for (let j = 1; j <= n; j++) {
      const codeB = b.charCodeAt(j - 1)
      const placeB = placeOf(codeB)
      let best = at(former, j - 1) + (codeA === codeB ? 0 : at(substitutions, placeA * codes + placeB))
      best = Math.min(best, at(former, j) + gapA, left + at(gap, placeB))
      if (i > 1 && j > 1 && codeA === b.charCodeAt(j - 2) && codeB === a.charCodeAt(i - 2))
        best = Math.min(best, at(older, j - 2) + costs.other)
      current[j] = best
      left = best
      if (best < least) least = best
    }
    // A swap may still reach over one row, at the cost of one letter.
    if (least > limit + costs.other) return 0
    ;[older, former, current] = [former, current, older]
  }
  const alike = 1 - at(former, n) / longest
  return alike < atLeast ? 0 : alike
}

const at = (row: Float64Array, index: number): number => row[index] ?? 0
