import type { Person } from '../record.ts'
import { createDice, type Dice } from './dice.ts'
import { inventBirthDate } from './invent-people.ts'
import { pickWord, readWordTables } from './word-tables.ts'

/** Names of people and businesses that are on no list, as often as each occurs. */

const tables = readWordTables('ordinary-words.txt')
const word = (dice: Dice, table: string): string => pickWord(dice, tables(table))

const givenAndSurname =
  (group: string, further: number) =>
  (dice: Dice): string => {
    const given = [word(dice, `${group} given`)]
    if (dice.roll(100) < further) given.push(word(dice, `${group} given`))
    return [...given, word(dice, `${group} surname`)].join(' ')
  }

const nigerian = (dice: Dice): string =>
  dice.roll(100) < 45 ? givenAndSurname('hausa', 30)(dice) : givenAndSurname('nigerian', 40)(dice)

/** A chain of the names of father and grandfather, or a family name; a third in Arabic script. */
function arabic(dice: Dice): string {
  const script = dice.roll(3) === 0 ? 'arabic script' : 'arabic'
  const chain = Array.from({ length: 1 + dice.roll(3) }, () => word(dice, `${script} given`))
  return [...chain, word(dice, `${script} ${dice.roll(4) === 0 ? 'given' : 'surname'}`)].join(' ')
}

/** Half in characters, half in pinyin, with the surname first or last. */
function chinese(dice: Dice): string {
  const given =
    dice.roll(2) === 0
      ? Array.from({ length: 1 + dice.roll(2) }, () => word(dice, 'chinese characters'))
      : [word(dice, 'chinese given')]
  const surname = word(dice, 'chinese surname')
  const [characters, pinyin] = [0, 1].map((at) => [
    surname.split('/')[at] ?? '',
    given.map((one) => one.split('/')[at] ?? '').join(''),
  ])
  if (dice.roll(2) === 0) return (characters ?? []).join('')
  return (dice.roll(2) === 0 ? (pinyin ?? []) : (pinyin ?? []).toReversed()).map(capital).join(' ')
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const western = (dice: Dice): string =>
  givenAndSurname(
    dice.pick(['british', 'british', 'french', 'german', 'italian', 'spanish', 'dutch']),
    30,
  )(dice)

const list = (text: string): string[] => text.trim().split(/\s+/)
const places = list(
  `Lagos Abuja Kano Nairobi Mombasa Kisumu Kampala Entebbe Jinja Accra Kumasi Tema Ibadan Enugu Nakuru Eldoret Gulu London
  Paris Berlin Dubai Cairo Shanghai Guangzhou Africa Global International Continental National United Coastal Savannah`,
)
const brands = list(
  `Sunrise Golden Royal Prime Unity Victory Grace Divine Blue Green Eagle Lion Star Diamond Silver Crystal Summit Pioneer
  Alpha Omega Delta Apex Fresh Bright Smart Swift Trust Heritage Legacy Crown Palm Baobab Acacia Nile Safari Zenith Horizon
  Phoenix Falcon Atlas Noble Excel Elite Capital First New Modern Best Happy Peace Hope Faith Glory Shalom Bismillah`,
)
const trades = list(
  `Trading Foods Logistics Transport Motors Pharmacy Hospital School Academy Farms Agro Textiles Fashion Electronics
  Construction Engineering Properties Hotels Travel Tours Media Print Technologies Solutions Consulting Services Energy Oil
  Gas Shipping Hardware Supermarket Bakery Restaurant Salon Furniture Steel Plastics Chemicals Insurance Microfinance
  Bank Investments Ventures Enterprises Industries Imports Exports Distributors Suppliers Stores Cosmetics Dairy Water`,
)
const forms = list('Ltd Limited Limited Limited PLC Co. Company Enterprises Group LLC GmbH SARL Pty')
const owners = ['nigerian', 'kenyan', 'ghanaian', 'ugandan', 'arabic', 'british', 'german', 'french', 'hausa']

function business(dice: Dice): string {
  const owner = word(dice, `${dice.pick(owners)} surname`)
  const [brand, trade, place, form] = [
    dice.pick(brands),
    dice.pick(trades),
    dice.pick(places),
    dice.pick(forms),
  ]
  return dice.pick([
    `${owner} & Sons ${form}`,
    `${owner} ${trade} ${form}`,
    `${brand} ${trade} ${form}`,
    `${brand} ${place} ${trade} ${form}`,
    `${place} ${trade} & ${dice.pick(trades)} ${form}`,
    `${brand} ${dice.pick(brands)} ${trade} ${form}`,
    `${word(dice, 'kenyan given')} ${owner} ${trade}`,
    `${owner} and ${word(dice, 'british surname')} ${form}`,
  ])
}

interface Group {
  count: number
  countries: readonly string[]
  invent(this: void, dice: Dice): string
}

const groups: Readonly<Record<string, Group>> = {
  Nigerian: { count: 2_700, countries: ['NG'], invent: nigerian },
  Kenyan: { count: 2_600, countries: ['KE'], invent: givenAndSurname('kenyan', 50) },
  Ugandan: { count: 2_500, countries: ['UG'], invent: givenAndSurname('ugandan', 40) },
  Ghanaian: { count: 2_500, countries: ['GH'], invent: givenAndSurname('ghanaian', 40) },
  Arabic: { count: 2_600, countries: ['EG', 'SA', 'MA', 'IQ', 'AE', 'JO', 'TN', 'SY'], invent: arabic },
  Chinese: { count: 2_600, countries: ['CN', 'CN', 'HK'], invent: chinese },
  'Western European': { count: 2_500, countries: ['GB', 'FR', 'DE', 'IT', 'ES', 'NL'], invent: western },
  Businesses: { count: 2_000, countries: ['NG', 'KE', 'UG', 'GH', 'GB', 'AE', 'CN'], invent: business },
}

interface OrdinaryName extends Person {
  group: string
  country: string
}

const decades = [1950, 1960, 1970, 1970, 1980, 1980, 1980, 1990, 1990, 1990, 2000]

/** One of `every` of them, in the shares of all 20,000. */
export function inventOrdinaryNames(every = 1): OrdinaryName[] {
  const dice = createDice(11)
  return Object.entries(groups).flatMap(([group, { count, countries, invent }]) =>
    Array.from({ length: Math.ceil(count / every) }, () => ({
      group,
      name: invent(dice),
      country: dice.pick(countries),
      dateOfBirth: group === 'Businesses' ? undefined : inventBirthDate(dice, dice.pick(decades)),
    })),
  )
}
