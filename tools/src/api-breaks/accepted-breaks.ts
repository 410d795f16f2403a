/** Breaks against the last release that were decided on, each with its reason. A release empties the list. */
export const acceptedBreaks: Readonly<Record<string, string>> = {}
