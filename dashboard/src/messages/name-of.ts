/** The display name of an API value. A value that this version does not know is shown as it is. */
export const nameOf = (names: Readonly<Record<string, string>>, value: string): string =>
  names[value] ?? value.replaceAll('_', ' ')

/** The catalogue's entry for an API value; undefined if this version does not know the value. */
export const entryOf = <Entry>(entries: Readonly<Record<string, Entry>>, value: string): Entry | undefined =>
  entries[value]
