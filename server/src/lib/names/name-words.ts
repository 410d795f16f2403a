import { isUnvowelled, readForeignSounds, romanise } from './romanise.ts'

/** A name as it is compared: its words in Latin letters, without titles and particles. */
interface NameWords {
  words: readonly string[]
  /** All of the name as one word, with the titles and particles. */
  whole: string
  /** Its script leaves out short vowels. */
  isUnvowelled: boolean
  /** It has letters of another script, other than Chinese and Korean ones, which are read in one way only. */
  isTransliterated: boolean
}

const wordsLimit = 40
/** As many as are compared: a whole name may be written as one word. */
const lettersLimit = 64
const textLimit = 400

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const titles = set(
  `mr mrs ms miss dr prof sir madam sheikh shaykh sheik haji hajj hajji alhaji alhaja mullah maulana maulavi sayyid syed
  general gen colonel col major maj captain capt lieutenant lt brigadier engineer eng chief hon rev`,
)
/** Words that some spellings of a name have and others leave out. */
const particles = set(
  `al el ul ibn bin ben bint binti ould wuld von van der den de da di do dos das la le du y`,
)
const legalForms = set(
  `ltd limited llc llp plc inc incorporated corp corporation co company gmbh ag sa sarl sas spa srl bv nv oy ab as
  ooo oao zao pao pjsc ojsc jsc cjsc fze fzco fzc pte pty sdn bhd group holding holdings`,
)

/** Abdul Rahman, Abd al-Rahman, Abdurrahman and Abdelrahman become one word. */
const servantOf = /^abd(?:[aeiou]?[lr])?$/
const servantAtStart = /^abd(?:[aeiou]?[lr])?/
const joinedServant = /^abd[aeiou][lr]?(?=[a-z]{4})/

const wordOf = (word: string): string => {
  const joined = word.length > 7 ? word.replace(joinedServant, 'abd') : word
  return joined.slice(0, lettersLimit)
}

function joinServants(words: readonly string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!servantOf.test(word)) {
      joined.push(wordOf(word))
      continue
    }
    const next = words.slice(at + 1).find((other) => !particles.has(other))
    if (next === undefined) joined.push(`${word}${joined.pop() ?? ''}`.replace(servantAtStart, 'abd'))
    else {
      joined.push(`abd${next}`.slice(0, lettersLimit))
      at = words.indexOf(next, at + 1)
    }
  }
  return joined
}

/** Words are split at anything but letters and digits; apostrophes within a word are dropped. */
export function nameWords(name: string): NameWords {
  return wordsIn(name, plainText(name))
}

const innerMark = /(?<=[\p{L}\p{N}])[^\p{L}\p{N}\s,;&/]+(?=[\p{L}\p{N}])/gu
const spelledOut = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?: +[\p{L}\p{N}](?![\p{L}\p{N}])){2,}/gu

/**
 * Other ways to read the same name: words that marks split in the middle as one, and letters that spaces keep apart as
 * words. A name without either has none.
 */
export function otherReadings(name: string): NameWords[] {
  const plain = plainText(name)
  const joined = plain.replaceAll(innerMark, '')
  const unspelled = joined.replaceAll(spelledOut, (letters) => letters.replaceAll(' ', ''))
  const foreign = plainText(readForeignSounds(name))
  return [...new Set([joined, unspelled, foreign])]
    .filter((text) => text !== plain)
    .map((text) => wordsIn(name, text))
}

const plainText = (name: string): string => romanise(name.slice(0, textLimit)).replaceAll(/['’‘ʼʻ`´ʿʾ]/g, '')

const otherScript = /[\u0370-\u1cff]/

function wordsIn(name: string, plain: string): NameWords {
  const all = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const named = all.filter((word) => !titles.has(word) && !legalForms.has(word))
  const words = joinServants(named).filter((word) => !particles.has(word))
  const kept = words.length > 0 ? words : all
  return {
    words: kept.slice(0, wordsLimit),
    whole: all.join(''),
    isUnvowelled: isUnvowelled(name),
    isTransliterated: otherScript.test(name),
  }
}
