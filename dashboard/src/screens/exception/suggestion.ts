/** The suggested action without its API calls, for which the page has buttons. */
export const withoutCalls = (suggestion: string): string =>
  suggestion.replaceAll(/(?:, or)? with (?:POST|PUT) \/v1\/[\w/{}-]+/g, '')

/** Whether the suggested action names a call, by the end of its path. */
export const suggests = (suggestion: string, call: string): boolean =>
  new RegExp(`/${call}(?![\\w/-])`).test(suggestion)
