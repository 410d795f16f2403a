import { createHash } from 'node:crypto'
import countries from 'i18n-iso-countries'
import { unreadableList } from './errors.ts'
import type { ListEntry, ListsInUse } from '../record.ts'
import type { ListVersion } from './record.ts'

const namesLimit = 300
const textLimit = 400
const entriesLimit = 1_000_000

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Lists write 10 Dec 1948, circa 1948, 1948, 28/04/1937, 00/00/1963, dd/mm/1950 and 1937-04-28. */
export function readBirthDate(text: string): string | undefined {
  const plain = text.trim().toLowerCase()
  const iso = /(\d{4})-(\d{2})-(\d{2})/.exec(plain)
  if (iso) return `${iso[1]}-${iso[2]}-${iso[3]}`
  const slashed = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(plain)
  if (slashed && slashed[1] !== '00' && slashed[2] !== '00')
    return `${slashed[3]}-${slashed[2]}-${slashed[1]}`
  const named = /^(\d{1,2}) ([a-z]{3})[a-z]* (\d{4})$/.exec(plain)
  const month = named ? months.indexOf(named[2] ?? '') + 1 : 0
  if (named && month > 0)
    return `${named[3]}-${String(month).padStart(2, '0')}-${(named[1] ?? '').padStart(2, '0')}`
  return /(?:^|\D)((?:18|19|20)\d{2})(?:\D|$)/.exec(plain)?.[1]
}

/** The code of a country that a list names in English; undefined for regions and former states. */
const readCountry = (name: string): string | undefined =>
  /^[A-Za-z]{2}$/.test(name) ? name.toUpperCase() : countries.getAlpha2Code(name.trim(), 'en')

const present = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(
    values
      .map((value) => value?.replaceAll(/\s+/g, ' ').trim().slice(0, textLimit) ?? '')
      .filter((value) => value !== ''),
  ),
]

type RawEntry = Pick<ListEntry, 'entryId' | 'kind'> & {
  names: readonly (string | undefined)[]
  birthDates: readonly string[]
  countries: readonly string[]
  programmes: readonly string[]
}

/** Cleans what a parser found. An entry without an id or a name means that the file is not what it seems. */
export function toEntry(raw: RawEntry): ListEntry {
  const names = present(raw.names).slice(0, namesLimit)
  if (raw.entryId === '') throw unreadableList('an entry has no id')
  if (names.length === 0) throw unreadableList(`the entry ${raw.entryId} has no name`)
  return {
    entryId: raw.entryId.slice(0, textLimit),
    kind: raw.kind,
    names,
    birthDates: present(raw.birthDates.map(readBirthDate)),
    countries: present(raw.countries.map(readCountry)),
    programmes: present(raw.programmes),
  }
}

/** Collects the entries of a file under their ids. */
export function createEntries(): { add(entry: ListEntry): void; all(): ListEntry[] } {
  const entries = new Map<string, ListEntry>()
  return {
    add(entry) {
      if (entries.has(entry.entryId)) throw unreadableList(`the entry ${entry.entryId} occurs twice`)
      if (entries.size >= entriesLimit) throw unreadableList(`it has more than ${entriesLimit} entries`)
      entries.set(entry.entryId, entry)
    },
    all: () => [...entries.values()],
  }
}

/** Changes exactly if the content of the entry changes. */
export const fingerprintOf = (entry: ListEntry): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        entry.kind,
        entry.names,
        entry.birthDates.toSorted(),
        entry.countries.toSorted(),
        entry.programmes.toSorted(),
      ]),
    )
    .digest('hex')
    .slice(0, 32)

/** A list that lost half of its entries is more likely a broken file. */
/** The versions in force, as a screening names them. */
export const listsInUse = (
  versions: readonly Pick<ListVersion, 'versionId' | 'publishedAt'>[],
): ListsInUse => {
  const published = versions.map(({ publishedAt }) => publishedAt?.getTime() ?? 0)
  return {
    versionIds: versions.map(({ versionId }) => versionId),
    publishedAt: versions.length > 0 ? new Date(Math.max(...published)) : null,
  }
}

export const hasShrunk = (before: number, now: number): boolean => now < before / 2
