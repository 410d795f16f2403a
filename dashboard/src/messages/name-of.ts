/** The word for a value of the API. A value that is newer than this version is shown as it is. */
export const nameOf = (names: Readonly<Record<string, string>>, value: string): string =>
  names[value] ?? value.replaceAll('_', ' ')

/** What the catalogue has about a value of the API, unless the value is newer than this version. */
export const entryOf = <Entry>(entries: Readonly<Record<string, Entry>>, value: string): Entry | undefined =>
  entries[value]
