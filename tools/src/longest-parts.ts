/** A step of the check, or one of its test files. */
export type Part = { readonly name: string; readonly seconds: number }

const shownParts = 10
const leastSeconds = 1

/** Shows where the time goes. Parts of less than a second say nothing about it. */
export function longestParts(parts: readonly Part[]): string[] {
  const longest = parts
    .filter(({ seconds }) => seconds >= leastSeconds)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, shownParts)
  if (longest.length === 0) return []
  return [
    'longest parts:',
    ...longest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`),
  ]
}
