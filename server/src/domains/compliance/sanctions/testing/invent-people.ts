import type { ListEntry } from '../record.ts'

/** Numbers from a seed, so that every run invents the same people. */
export function createDice(seed: number): { roll(sides: number): number; pick<T>(list: readonly T[]): T } {
  let state = seed >>> 0
  const roll = (sides: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
  return {
    roll,
    pick(list) {
      const picked = list[roll(list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
  }
}
export type Dice = ReturnType<typeof createDice>

const words = (text: string): string[] => text.trim().split(/\s+/)

const cultures = ['arabic', 'slavic', 'west-african', 'east-african', 'western'] as const
type Culture = (typeof cultures)[number]

const givenNames: Readonly<Record<Culture, readonly string[]>> = {
  arabic: words(
    `Muhammad Ahmad Mahmud Hasan Husayn Ali Umar Uthman Khalid Yusuf Ibrahim Ismail Said Sulayman Salim Karim Rashid Tariq
    Nasir Faruq Jamal Kamal Jalal Bilal Hamza Idris Mustafa Mansur Qasim Zayd Layla Fatima Khadija Maryam Zaynab Amina`,
  ),
  slavic: words(
    `Сергей Андрей Алексей Дмитрий Николай Юрий Евгений Владимир Михаил Павел Виктор Олег Игорь Максим Руслан Тимур
    Ольга Наталья Татьяна Ирина Светлана Юлия Людмила Екатерина`,
  ),
  'west-african': words(
    `Ọlájídé Adébáyọ̀ Chukwuemeka Olúwaṣeun Nkechi Ifeanyi Babatunde Ngozi Kwame Kofi Akosua Abena Mamadou Ousmane Aïssatou
    Fatoumata Ibrahima Cheikh Souleymane Boubacar Seydou Aminata Mariama Kouassi`,
  ),
  'east-african': words(
    `Wanjiru Kamau Njoroge Otieno Achieng Juma Baraka Neema Rehema Abdi Hodan Ayaan Tesfaye Haile Bekele Alemitu Gebre
    Nakato Mukasa Habimana Uwimana Ndayishimiye`,
  ),
  western: words(
    `James John Robert Maria José António João Pierre Jean Élodie François Anna Sofia Lars Björn Søren Giulia Marco Peter
    Thomas Elizabeth Catherine Michael Daniel`,
  ),
}

const syllables: Readonly<Record<Culture, { parts: readonly string[]; endings: readonly string[] }>> = {
  arabic: {
    parts: words(
      'bar dur fad ghan hal jab kham las mas naw qud rah sab shar tal waz yaz zub dham thar aq bish hud jun maz raf suf til wad zar kar nim',
    ),
    endings: words('i awi ani iri aq im ub ad ar un is'),
  },
  slavic: {
    parts: words(
      'бар вел гор дуб жел зор кал лав мир нест оск пол рад сев тур ург фед хол чер шум щек юр яр бог вас гол дан тих',
    ),
    endings: words('ов ин енко ский ев ук'),
  },
  'west-african': {
    parts: words(
      'ade olu aki fola nwa chi oke ndu eze bola tunde oba kou dia tra mba sow ndi gue dou sa ko boa asa men osei ama',
    ),
    endings: words('mi yemi wale kwu ka ré né ma la ngo wa fo tu'),
  },
  'east-african': {
    parts: words(
      'mu ka wa nji ki ma nga tho gi chege ndu wai ru nya bi oko odhi ambo tes meles hai girma yo sheikh bu zi ha',
    ),
    endings: words('ru ri ngi ko ma na ni go la ye mba ndi we'),
  },
  western: {
    parts: words(
      'ash bren cor dal ever fair gold hart ing jor kel lan mor nor oak pem quin ros stan tol under vel win york bel car',
    ),
    endings: words('ton field son er mann ez eau ini berg dale wick'),
  },
}

const countriesOf: Readonly<Record<Culture, readonly string[]>> = {
  arabic: ['IQ', 'SY', 'YE', 'LY', 'EG'],
  slavic: ['RU', 'BY', 'UA', 'KZ'],
  'west-african': ['NG', 'GH', 'SN', 'CI', 'ML'],
  'east-african': ['KE', 'SO', 'ET', 'UG', 'RW'],
  western: ['US', 'GB', 'FR', 'BR', 'SE'],
}

export interface InventedPerson {
  culture: Culture
  /** In the script of the culture, or in Latin letters: given names first. */
  words: readonly string[]
  dateOfBirth: string
  country: string
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function inventSurname(dice: Dice, culture: Culture): string {
  const { parts, endings } = syllables[culture]
  const body = Array.from({ length: 2 + dice.roll(2) }, () => dice.pick(parts)).join('')
  return capital(body + dice.pick(endings))
}

/** Nobody: given names are common ones, surnames are made of syllables. */
export function inventPerson(dice: Dice, culture: Culture = dice.pick(cultures)): InventedPerson {
  const given = [dice.pick(givenNames[culture])]
  if (dice.roll(3) > 0) given.push(dice.pick(givenNames[culture]))
  const two = (value: number): string => String(value).padStart(2, '0')
  return {
    culture,
    words: [...new Set(given), inventSurname(dice, culture)],
    dateOfBirth: `${1940 + dice.roll(65)}-${two(1 + dice.roll(12))}-${two(1 + dice.roll(28))}`,
    country: dice.pick(countriesOf[culture]),
  }
}

/** As a list would have it: the name in Latin letters, and now and then an alias and the original script. */
export function inventEntry(
  dice: Dice,
  entryId: string,
  latinName: (person: InventedPerson) => string,
): { person: InventedPerson; entry: ListEntry } {
  const person = inventPerson(dice)
  const alias = dice.roll(3) === 0 ? [latinName(inventPerson(dice, person.culture))] : []
  return {
    person,
    entry: {
      entryId,
      kind: 'person',
      names: [latinName(person), ...alias],
      birthDates: [person.dateOfBirth],
      countries: [person.country],
      programmes: ['TEST'],
    },
  }
}
