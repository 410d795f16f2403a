import { readFileSync } from 'node:fs'
import { foldWord } from './name-likeness.ts'

/**
 * How rare a word is in the names of people and businesses, in bits: a word of 10 bits is part of one name in 1,024.
 * common-words.txt has the words that are not rare, in a line for each number of bits. They come from the surnames and
 * first names of the US census of 2020 (public domain); from the words that several entries share on the lists of OFAC
 * (public domain) and of the United Kingdom (contains public sector information licensed under the Open Government Licence
 * v3.0), with the English words among them; from the names that Faker has for Kenya, Nigeria, Ghana and China (MIT); and
 * from the names of countries and large cities. A word that is common in one of these groups of people counts as common.
 */
const commonWords = readFileSync(new URL('common-words.txt', import.meta.url), 'utf8')

/** A word that is not in the table. */
export const rarestBits = 18

const shares = new Map<string, number>()
const sharesWithoutVowels = new Map<string, number>()
const vowels = /[aeiouyw]/g
const withoutVowels = (word: string): string => word.replaceAll(vowels, '')
const add = (map: Map<string, number>, word: string, share: number): void => {
  map.set(word, (map.get(word) ?? 0) + share)
}
for (const line of commonWords.split('\n')) {
  const [bits, ...words] = line.split(' ')
  for (const word of words) {
    // Spellings that are compared as one word are as common as all of them together.
    const folded = foldWord(word)
    add(shares, folded, 2 ** -Number(bits))
    add(sharesWithoutVowels, withoutVowels(folded), 2 ** -Number(bits))
  }
}

/** Abdul Rahman is compared as one word, abdrahman, and is as common as Rahman. */
export const servant = 'abd'

const rarity = (share: number | undefined): number | undefined =>
  share === undefined ? undefined : Math.min(rarestBits, -Math.log2(share))

/** The rarity of a folded word, in bits. */
export const rarityOf = (folded: string): number =>
  rarity(shares.get(folded)) ??
  (folded.startsWith(servant) ? rarity(shares.get(folded.slice(servant.length))) : undefined) ??
  rarestBits

/** The rarity of a word whose script has no short vowels: whatever it may stand for counts. */
export const rarityWithoutVowels = (folded: string): number => {
  const consonants = withoutVowels(folded)
  return (
    rarity(sharesWithoutVowels.get(consonants)) ??
    (consonants.startsWith(unvowelledServant)
      ? rarity(sharesWithoutVowels.get(consonants.slice(unvowelledServant.length)))
      : undefined) ??
    rarestBits
  )
}
const unvowelledServant = 'bd'
