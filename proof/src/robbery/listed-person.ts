import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadList } from '@switchyard/server/domains/compliance/sanctions/lists/load-list.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'

const list = `Last Updated,16/11/2026
Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Title,Name Non-Latin Script,DOB,Nationality,Country,Group Type,Alias Type,Regime,Group ID
QUDLAWI,Zorvane,,,,,,,,Iraq,Iraq,Individual,Primary name,Robbery,1
`

/** Puts one person, who does not exist, on the list of the installation. */
export async function listPerson(deps: Deps): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'robbery-list-'))
  try {
    const path = join(directory, 'ConList.csv')
    await writeFile(path, list)
    await loadList(deps, { path, loadedBy: 'robbery', allowsShrinking: true })
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** How somebody who does not want to be found writes their name. */
export const spellings: readonly string[] = [
  'Zorvane Qudlawi',
  'QUDLAWI, ZORVANE',
  'Zorvane Qudlawi Junior',
  'Zorvane Qudlawi Junior Esq',
  'Zorvane Qudlawi Branch Client Account',
  'Zorvane Qudlawi Retail Branch Client Account Lagos',
  'Zorvane Qudlawi trading as Lagos North Retail Branch Client Account',
  'Client Account of the Retail Branch of Lagos North Zorvane Qudlawi',
  'Zorvane of the Northern Lagos Retail Branch Qudlawi',
  'Zor\u200Bvane Qud\u200Blawi',
  'Zor\u00ADvane Qud\u00ADlawi',
  'Zor\u2060vane Qud\u2060lawi',
  'Zorvane\u202E Qudlawi',
  'Zor.vane Qud.lawi',
  'Zor-vane Qud-lawi',
  'Zorvane_Qudlawi',
  'Z o r v a n e Q u d l a w i',
  'Z.o.r.v.a.n.e Q.u.d.l.a.w.i',
  'Q u d l a w i Z o r v a n e',
  'ZorvaneQudlawi',
  'Zorva Nequdlawi',
  'Z\u0585rvane Qudlawi',
  'Zorv\u0430n\u0435 Qudlawi',
  'Z\u03BFrvane Qudlawi',
  'ᴢᴏʀᴠᴀɴᴇ ǫᴜᴅʟᴀᴡɪ',
  'Ｚｏｒｖａｎｅ Ｑｕｄｌａｗｉ',
  '𝐙𝐨𝐫𝐯𝐚𝐧𝐞 𝐐𝐮𝐝𝐥𝐚𝐰𝐢',
  'ⓩⓞⓡⓥⓐⓝⓔ ⓠⓤⓓⓛⓐⓦⓘ',
  'Z0rvane Qud1awi',
  'Zorv@ne Qudl@w!',
  'Żóŕváñé Qúđláwí',
  'ზორვანე ქუდლავი',
  'Զորվանե Քուդլավի',
  'ज़ोरवाने क़ुदलावी',
  'Зорване Кудлави',
  'Ζορβανε Κουδλαουι',
  'Zorvqne Qudlawi',
  'Zorrvane Quddlawi',
  'Alhaji Dr. Zorvane Qudlawi',
  'Zorvane Qudlawi Limited',
  'Zorvane ქუდლავი',
]

/** The two fields of a beneficiary. */
export function inTwoFields(name: string): { fname: string; lname: string } {
  const [first = name, ...rest] = name.split(' ')
  return rest.length === 0 ? { fname: 'Mr', lname: first } : { fname: first, lname: rest.join(' ') }
}
