/** The groups of domains by floor, from the lowest to the highest. */
const floors: readonly (readonly string[])[] = [
  ['records'],
  ['people'],
  ['pricing', 'events'],
  ['providers'],
  ['compliance', 'routing'],
  ['parties'],
  ['payments'],
  ['products'],
  ['after'],
  ['office'],
]

export function floorOf(group: string): number | undefined {
  const floor = floors.findIndex((groups) => groups.includes(group))
  return floor === -1 ? undefined : floor
}

/** The group of domains that a file lies in. */
export const groupOf = (path: string): string | undefined =>
  /^server\/src\/domains\/([^/]+)\//.exec(path)?.[1]
