/** The suggested action without the calls that settle it: the page has buttons for them. */
export const withoutCalls = (suggestion: string): string =>
  suggestion.replaceAll(/(?:, or)? with (?:POST|PUT) \/v1\/[\w/{}-]+/g, '')

/** Whether the suggested action names a call, by the end of its path. */
export const suggests = (suggestion: string, call: string): boolean =>
  new RegExp(`/${call}(?![\\w/-])`).test(suggestion)
