import { romanise } from '../../../../lib/names/romanise.ts'
import type { Dice, InventedPerson } from './invent-people.ts'

/** How a list writes the name. */
export const listedName = ({ words }: InventedPerson): string =>
  words.map((word) => capital(romanise(word))).join(' ')

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Each way in which the same name is written by somebody else; undefined where it does not apply. */
export const variations: Readonly<
  Record<string, (person: InventedPerson, dice: Dice) => string | undefined>
> = {
  'as listed': listedName,
  'surname first': (person) => {
    const words = listedName(person).split(' ')
    return [words.at(-1), ...words.slice(0, -1)].join(', ').toUpperCase()
  },
  'a word left out': (person) => {
    const words = listedName(person).split(' ')
    return words.length < 3 ? undefined : [words[0], ...words.slice(2)].join(' ')
  },
  'a further given name': (person, dice) =>
    listedName(person).replace(' ', ` ${dice.pick(['Zakariya', 'Terence', 'Bogdan', 'Obinna'])} `),
  'an initial': (person) => {
    const words = listedName(person).split(' ')
    return words.length < 3 ? undefined : words.map((word, at) => (at === 1 ? `${word[0]}.` : word)).join(' ')
  },
  'first name as an initial': (person) => {
    const words = listedName(person).split(' ')
    return words.length < 3 ? undefined : [`${words[0]?.[0]}.`, ...words.slice(1)].join(' ')
  },
  'one typing error': (person, dice) => misspell(listedName(person), dice),
  'two typing errors': (person, dice) => misspell(misspell(listedName(person), dice), dice),
  'Cyrillic script': ({ culture, words }) => (culture === 'slavic' ? words.join(' ') : undefined),
  'another romanisation of Cyrillic': (person) =>
    person.culture === 'slavic' ? respell(listedName(person), frenchOfRussian) : undefined,
  'Arabic script': (person) => (person.culture === 'arabic' ? inArabic(listedName(person)) : undefined),
  'another romanisation of Arabic': (person, dice) =>
    person.culture === 'arabic' ? respell(listedName(person), dice.pick(spellingsOfArabic)) : undefined,
  'accents of African names': ({ culture, words }) =>
    culture === 'west-african' ? words.join(' ') : undefined,
  'another spelling of African names': (person) =>
    person.culture === 'west-african' || person.culture === 'east-african'
      ? respell(listedName(person), frenchOfAfrican)
      : undefined,
  'words written as one': (person) => {
    const words = listedName(person).split(' ')
    return words.length < 3 ? undefined : `${words[0]}${words[1]?.toLowerCase()} ${words.slice(2).join(' ')}`
  },
}

type Spelling = readonly (readonly [RegExp, string])[]

const frenchOfRussian: Spelling = [
  [/shch/gi, 'chtch'],
  [/sh/gi, 'ch'],
  [/zh/gi, 'j'],
  [/kh/gi, 'h'],
  [/u/g, 'ou'],
  [/ov$/g, 'off'],
  [/ev$/g, 'eff'],
  [/skii?$/g, 'sky'],
]
const spellingsOfArabic: readonly Spelling[] = [
  [
    [/^U/g, 'O'],
    [/u/g, 'o'],
    [/a(?=[dn]$)/g, 'e'],
    [/ay/g, 'ei'],
    [/q/gi, 'k'],
    [/w/g, 'ou'],
  ],
  [
    [/u/g, 'ou'],
    [/kh/gi, 'h'],
    [/dh/gi, 'd'],
    [/i$/g, 'y'],
  ],
  [
    [/mm/g, 'm'],
    [/q/gi, 'g'],
    [/aw/g, 'ao'],
    [/th/gi, 't'],
    [/im/g, 'eem'],
  ],
]
const frenchOfAfrican: Spelling = [
  [/ou/g, 'u'],
  [/w(?=[aeio])/gi, 'ou'],
  [/ch/gi, 'tch'],
  [/é/g, 'ey'],
  [/k(?=[ao])/gi, 'c'],
  [/ny/gi, 'gn'],
]

const respell = (name: string, spelling: Spelling): string =>
  name
    .split(' ')
    .map((word) => capital(spelling.reduce((text, [pattern, by]) => text.replace(pattern, by), word)))
    .join(' ')

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** In a word of at least five letters, anywhere but at its beginning: most slips are there. */
function misspell(name: string, dice: Dice): string {
  const words = name.split(' ')
  const long = words.flatMap((word, at) => (word.length >= 5 ? [at] : []))
  if (long.length === 0) return name
  const which = dice.pick(long)
  const word = words[which] ?? ''
  const at = 1 + dice.roll(word.length - 2)
  const slips = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
    word.slice(0, at) + dice.pick(alphabet.split('')) + word.slice(at + 1),
    word.slice(0, at) + dice.pick(alphabet.split('')) + word.slice(at),
  ]
  words[which] = dice.pick(slips)
  return words.join(' ')
}

const arabicLetters: Spelling = [
  [/sh/gi, 'ش'],
  [/kh/gi, 'خ'],
  [/gh/gi, 'غ'],
  [/th/gi, 'ث'],
  [/dh/gi, 'ذ'],
  [/^a/gi, 'ا'],
  [/^i/gi, 'إ'],
  [/^u/gi, 'ع'],
  [/i$/gi, 'ي'],
  [/a$/gi, 'ة'],
  [/mm/gi, 'م'],
  [/[aiu]/gi, ''],
  [/b/gi, 'ب'],
  [/t/gi, 'ت'],
  [/j/gi, 'ج'],
  [/h/gi, 'ح'],
  [/d/gi, 'د'],
  [/r/gi, 'ر'],
  [/z/gi, 'ز'],
  [/s/gi, 'س'],
  [/f/gi, 'ف'],
  [/q/gi, 'ق'],
  [/k/gi, 'ك'],
  [/l/gi, 'ل'],
  [/m/gi, 'م'],
  [/n/gi, 'ن'],
  [/w/gi, 'و'],
  [/y/gi, 'ي'],
]

/** Without short vowels, as it is written. */
const inArabic = (name: string): string =>
  name
    .split(' ')
    .map((word) => arabicLetters.reduce((text, [pattern, by]) => text.replace(pattern, by), word))
    .join(' ')
