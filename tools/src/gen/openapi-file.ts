const sortedMaps = new Set(['paths', 'webhooks', 'schemas', 'responses', 'parameters', 'headers'])
const indent = 1

/** The document as a file. Paths and components are sorted, so that branches that add some merge without conflict. */
export const openApiFile = (document: object): string =>
  `${JSON.stringify(document, (key, value: unknown) => (sortedMaps.has(key) ? sorted(value) : value), indent)}\n`

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
