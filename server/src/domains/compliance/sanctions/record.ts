export const listSources = ['ofac', 'un', 'eu', 'uk'] as const
export type ListSource = (typeof listSources)[number]

/** Where a possible match comes from: a list, a server that was asked, or a name in a script that cannot be compared. */
export const matchSources = [...listSources, 'yente', 'script'] as const
export type MatchSource = (typeof matchSources)[number]

export const entryKinds = ['person', 'organisation', 'vessel'] as const
export type EntryKind = (typeof entryKinds)[number]

/** A designated person or organisation, in the shape that all lists share. Everything in it is public. */
export interface ListEntry {
  /** The list's own id, which stays the same from version to version. */
  entryId: string
  kind: EntryKind
  /** The primary name first, then the aliases and the spellings in other scripts. */
  names: readonly string[]
  /** Whole dates, or years where no more is known. */
  birthDates: readonly string[]
  /** ISO codes of nationalities and addresses. */
  countries: readonly string[]
  programmes: readonly string[]
}

/** A person, or an organisation, as far as we know them. */
export interface Person {
  name: string
  dateOfBirth?: string | undefined
  country?: string | undefined
}

/** What this process knows about an entry of the lists in force; the rest is read from the database. */
export interface IndexedEntry {
  versionId: string
  source: MatchSource
  entryId: string
  /** Changes with the content of the entry. */
  fingerprint: string
  birthDates: readonly string[]
  countries: readonly string[]
}

/** An entry that a person possibly is. */
export interface Hit {
  entry: IndexedEntry
  /** From 0 to 1. */
  score: number
  /** The whole entry, where it is not one of the lists in the database. */
  listed?: ListEntry
}

/** What names are compared with. */
export interface ListsInUse {
  versionIds: readonly string[]
  /** When the newest of them was published; null while no list is loaded. */
  publishedAt: Date | null
}

/** The lists in force: as this process has them in memory, or as another server searches them. */
export interface NameScreening {
  /** The best first. Empty while no list is loaded. */
  find(person: Person): Hit[] | Promise<Hit[]>
  inUse(): ListsInUse
}

/** Of an installation that has loaded none. */
export const noLists: NameScreening = {
  find: () => [],
  inUse: () => ({ versionIds: [], publishedAt: null }),
}
