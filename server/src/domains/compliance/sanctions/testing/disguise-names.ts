import type { Dice } from './dice.ts'
import { scripts } from './write-scripts.ts'

/** How somebody who does not want to be found could write a name. */
type Disguise = (words: readonly string[], dice: Dice) => string | undefined

/** A disguise that does not need to know the words. */
const whole =
  (change: (name: string) => string | undefined): Disguise =>
  (words) =>
    change(words.join(' '))

const eachWord = (name: string, change: (word: string, at: number) => string): string =>
  name.split(' ').map(change).join(' ')

/** A character in the middle of each word that is long enough. */
const inTheMiddle = (name: string, mark: string): string =>
  eachWord(name, (word) => {
    const half = Math.ceil(word.length / 2)
    return word.length < 4 ? word : `${word.slice(0, half)}${mark}${word.slice(half)}`
  })

const mapLetters = (name: string, from: string, to: string): string => {
  const targets = Array.from(to)
  return Array.from(name, (letter) => {
    const at = from.indexOf(letter)
    return at < 0 ? letter : (targets[at] ?? letter)
  }).join('')
}

const latin = 'abcdefghijklmnopqrstuvwxyz'
const shifted = (name: string, first: number): string =>
  mapLetters(
    name.toLowerCase(),
    latin,
    Array.from(latin, (_, at) => String.fromCodePoint(first + at)).join(''),
  )

const surnameFirst = (words: readonly string[]): string[] => [words.at(-1) ?? '', ...words.slice(0, -1)]
/** A name of one word cannot be disguised among its own words. */
const ofSeveral =
  (change: (words: readonly string[]) => string): Disguise =>
  (words) =>
    words.length < 2 ? undefined : change(words)

const trade = [
  'Lagos',
  'Retail',
  'Branch',
  'Client',
  'Account',
  'Northern',
  'Settlement',
  'Services',
  'Kampala',
  'Desk',
]
const beside = (count: number): string => trade.slice(0, count).join(' ')
const accents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[aeiou]/g, '$&\u0301')
    .replaceAll(/[nszc]/g, '$&\u030c')

export const disguises: Readonly<Record<string, Disguise>> = {
  'as listed': whole((name) => name),
  'a word behind it': whole((name) => `${name} Junior`),
  'two words behind it': whole((name) => `${name} ${beside(2)}`),
  'three words behind it': whole((name) => `${name} ${beside(3)}`),
  'five words behind it': whole((name) => `${name} ${beside(5)}`),
  'eight words behind it': whole((name) => `${name} trading as ${beside(6)}`),
  'ten words before it': whole((name) => `${beside(10)} ${name}`),
  'words in between': ofSeveral(
    (words) => `${words[0] ?? ''} of the Northern ${beside(3)} ${words.slice(1).join(' ')}`,
  ),
  'in the care of somebody': whole((name) => `Kwame Boateng c/o ${name}`),
  'a title': whole((name) => `Alhaji Dr. ${name}`),
  'a legal form': whole((name) => `${name} Limited`),
  'several legal forms': whole((name) => `${name} Holding Group Co. Ltd`),
  'capitals and a comma': (words) => surnameFirst(words).join(', ').toUpperCase(),
  'words turned round': (words) => words.toReversed().join(' '),
  'the last word first': (words) => surnameFirst(words).join(' '),
  'words twice': whole((name) => `${name} ${name}`),
  'the last word twice': (words) => `${words.join(' ')} ${words.at(-1) ?? ''}`,
  'spaces of width zero': whole((name) => inTheMiddle(name, '\u200b')),
  'soft hyphens': whole((name) => inTheMiddle(name, '\u00ad')),
  'word joiners': whole((name) => inTheMiddle(name, '\u2060')),
  'a mark that turns the direction': whole((name) => `\u202e${name.replace(' ', '\u202c ')}`),
  'spaces that do not break': whole((name) => name.replaceAll(' ', '\u00a0')),
  'full stops within words': whole((name) => inTheMiddle(name, '.')),
  'hyphens within words': whole((name) => inTheMiddle(name, '-')),
  'apostrophes within words': whole((name) => inTheMiddle(name, '’')),
  underscores: whole((name) => name.replaceAll(' ', '_')),
  'letters with spaces': whole((name) => Array.from(name.replaceAll(' ', '')).join(' ')),
  'letters with full stops': whole((name) => eachWord(name, (word) => Array.from(word).join('.'))),
  'the last word with spaces': ofSeveral((words) =>
    [...words.slice(0, -1), ...Array.from(words.at(-1) ?? '')].join(' '),
  ),
  'as one word': ofSeveral((words) => words.join('').replaceAll(' ', '')),
  'split in another place': ofSeveral((words) => {
    const [first = '', second = '', ...rest] = words
    return [first + second.slice(0, 2), second.slice(2), ...rest].filter((word) => word !== '').join(' ')
  }),
  'Cyrillic letters': whole((name) => mapLetters(name, 'aeopcyx', 'аеорсух')),
  'Greek letters': whole((name) => mapLetters(name, 'aovkp', 'αονκρ')),
  'an Armenian o': whole((name) => mapLetters(name, 'o', 'օ')),
  'digits for letters': whole((name) => mapLetters(name, 'oles', '0135')),
  'signs for letters': whole((name) => mapLetters(name, 'asi', '@$!')),
  'small capitals': whole((name) => mapLetters(name.toLowerCase(), latin, 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ')),
  'letters of full width': whole((name) => shifted(name, 0xff41)),
  'mathematical letters': whole((name) => shifted(name, 0x1d41a)),
  'letters in circles': whole((name) => shifted(name, 0x24d0)),
  'letters in squares': whole((name) => shifted(name, 0x1f130)),
  'accents on every letter': whole(accents),
  'a letter twice': whole((name) =>
    eachWord(name, (word) => (word.length < 4 ? word : `${word.slice(0, 3)}${word.slice(2)}`)),
  ),
  'in Cyrillic': whole((name) => scripts.Cyrillic?.(name)),
  'in Greek': whole((name) => scripts.Greek?.(name)),
  'in Georgian': whole((name) => scripts.Georgian?.(name)),
  'in Armenian': whole((name) => scripts.Armenian?.(name)),
  'in Devanagari': whole((name) => scripts.Devanagari?.(name)),
  'one word in Georgian': ofSeveral((words) =>
    [...words.slice(0, -1), scripts.Georgian?.(words.at(-1) ?? '')].join(' '),
  ),
}
