import { beforeAll, describe, expect, it } from 'vitest'
import { buildIndex } from './build-index.ts'
import { createMatcher } from './match-name.ts'
import type { Hit, Person } from './record.ts'

let find: (person: Person) => Hit[]
beforeAll(async () => {
  const entries = ['Zorvane Qudlawi', 'Muhammad Ali', 'Muhammad Khan', 'Ali Khan', 'Ali Hasan Khan'].map(
    (name, at) => ({
      versionId: 'v',
      source: 'ofac' as const,
      entryId: String(at),
      fingerprint: '',
      kind: 'person' as const,
      names: [name],
      birthDates: [],
      countries: ['IQ'],
    }),
  )
  find = createMatcher(await buildIndex(entries))
})
const found = (name: string): string[] => find({ name, country: 'NG' }).map(({ entry }) => entry.entryId)

/** How somebody who does not want to be found could write their name. */
const spellings: readonly [kind: string, name: string][] = [
  ['as listed', 'Zorvane Qudlawi'],
  ['a word behind it', 'Zorvane Qudlawi Junior'],
  ['two words behind it', 'Zorvane Qudlawi Junior Esq'],
  ['three words behind it', 'Zorvane Qudlawi Branch Client Account'],
  ['five words behind it', 'Zorvane Qudlawi Retail Branch Client Account Lagos'],
  ['eight words behind it', 'Zorvane Qudlawi trading as Lagos North Retail Branch Client Account'],
  [
    'twelve words before it',
    'one two three four five six seven eight nine ten eleven twelve Zorvane Qudlawi',
  ],
  ['words in between', 'Zorvane of the Northern Lagos Retail Branch Qudlawi'],
  ['spaces of width zero', 'Zor\u200bvane Qud\u200blawi'],
  ['soft hyphens', 'Zor\u00advane Qud\u00adlawi'],
  ['word joiners', 'Zor\u2060vane Qud\u2060lawi'],
  ['a mark that turns the direction', 'Zorvane\u202e Qudlawi'],
  ['full stops within words', 'Zor.vane Qud.lawi'],
  ['hyphens within words', 'Zor-vane Qud-lawi'],
  ['underscores', 'Zorvane_Qudlawi'],
  ['letters with spaces', 'Z o r v a n e Q u d l a w i'],
  ['letters with full stops', 'Z.o.r.v.a.n.e Q.u.d.l.a.w.i'],
  ['letters with spaces, the surname first', 'Q u d l a w i Z o r v a n e'],
  ['as one word', 'ZorvaneQudlawi'],
  ['split in another place', 'Zorva Nequdlawi'],
  ['an Armenian o', 'Z\u0585rvane Qudlawi'],
  ['a Cyrillic a and e', 'Zorv\u0430n\u0435 Qudlawi'],
  ['a Greek o', 'Z\u03bfrvane Qudlawi'],
  ['small capitals', 'ᴢᴏʀᴠᴀɴᴇ ǫᴜᴅʟᴀᴡɪ'],
  ['letters of full width', 'Ｚｏｒｖａｎｅ Ｑｕｄｌａｗｉ'],
  ['mathematical letters', '𝐙𝐨𝐫𝐯𝐚𝐧𝐞 𝐐𝐮𝐝𝐥𝐚𝐰𝐢'],
  ['letters in circles', 'ⓩⓞⓡⓥⓐⓝⓔ ⓠⓤⓓⓛⓐⓦⓘ'],
  ['digits for letters', 'Z0rvane Qud1awi'],
  ['signs for letters', 'Zorv@ne Qudl@w!'],
  ['accents on every letter', 'Żóŕváñé Qúđláwí'],
  ['Georgian', 'ზორვანე ქუდლავი'],
  ['Armenian', 'Զորվանե Քուդլավի'],
  ['Devanagari', 'ज़ोरवाने क़ुदलावी'],
  ['Cyrillic', 'Зорване Кудлави'],
  ['Greek', 'Ζορβανε Κουδλαουι'],
  ['a typing error and another country', 'Zorvqne Qudlawi'],
  ['letters twice', 'Zorrvane Quddlawi'],
  ['a title', 'Alhaji Dr. Zorvane Qudlawi'],
  ['a legal form', 'Zorvane Qudlawi Limited'],
  ['another alphabet for one word', 'Zorvane ქუდლავი'],
  ['capitals and a comma', 'QUDLAWI, ZORVANE'],
]

describe('a listed name is found', () => {
  it.each(spellings)('%s', (_kind, name) => {
    expect(found(name)).toContain('0')
  })
})

describe('a name of common words within a longer one', () => {
  it.each([
    'Fatima Muhammad Ali Bello Sani Yusuf Garba',
    'Khan Trading and Muhammad Brothers of Lahore City',
  ])('%s is nobody on the list', (name) => {
    expect(found(name)).toEqual([])
  })
})
