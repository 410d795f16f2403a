/** The word for a value of the API. A value that is newer than this version is shown as it is. */
export const nameOf = (names: Readonly<Record<string, string>>, value: string): string =>
  names[value] ?? value.replaceAll('_', ' ')
