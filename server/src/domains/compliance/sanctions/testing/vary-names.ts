import type { Dice } from './dice.ts'
import type { InventedEntry } from './invent-people.ts'
import { scripts } from './write-scripts.ts'

/** Each way in which somebody else honestly writes the same name; undefined where it does not apply. */
type Variation = (listed: InventedEntry, dice: Dice) => string | undefined

const nameOf = ({ words }: InventedEntry): string => words.join(' ')
const ofThree =
  (vary: (words: readonly string[]) => string): Variation =>
  ({ words }) =>
    words.length < 3 ? undefined : vary(words)
const isPerson = ({ culture }: InventedEntry): boolean => culture !== 'organisation'

export const variations: Readonly<Record<string, Variation>> = {
  'a word left out': ofThree((words) => [words[0], ...words.slice(2)].join(' ')),
  'a further given name': (listed, dice) =>
    isPerson(listed)
      ? nameOf(listed).replace(' ', ` ${dice.pick(['Zakariya', 'Terence', 'Bogdan', 'Obinna'])} `)
      : undefined,
  'an initial': ofThree((words) => words.map((word, at) => (at === 1 ? `${word[0]}.` : word)).join(' ')),
  'first name as an initial': ofThree((words) => [`${words[0]?.[0]}.`, ...words.slice(1)].join(' ')),
  'one typing error': (listed, dice) => misspell(nameOf(listed), dice),
  'two typing errors': (listed, dice) => misspell(misspell(nameOf(listed), dice), dice),
  'French spelling of Russian': (listed) =>
    listed.culture === 'slavic' ? respell(nameOf(listed), frenchOfRussian) : undefined,
  'another spelling of Arabic': (listed, dice) =>
    listed.culture === 'arabic' || listed.culture === 'persian'
      ? respell(nameOf(listed), dice.pick(spellingsOfArabic))
      : undefined,
  'another spelling of African names': (listed) =>
    listed.culture === 'african' ? respell(nameOf(listed), frenchOfAfrican) : undefined,
  'two words as one': ofThree(([first = '', second = '', ...rest]) =>
    [first + second.toLowerCase(), ...rest].join(' '),
  ),
  'Arabic script': (listed) =>
    listed.culture === 'arabic' || listed.culture === 'persian'
      ? scripts.Arabic?.(nameOf(listed))
      : undefined,
  'Hebrew script': (listed) => (isPerson(listed) ? scripts.Hebrew?.(nameOf(listed)) : undefined),
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
  [/k(?=[ao])/gi, 'c'],
  [/ny/gi, 'gn'],
]

const respell = (name: string, spelling: Spelling): string =>
  name
    .split(' ')
    .map((word) => spelling.reduce((text, [pattern, by]) => text.replace(pattern, by), word))
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
