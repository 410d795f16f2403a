/** Names that are compared are short; a longer one is not near any of them. */
const lengthLimit = 100

/** The known name with the fewest edits from the given one, if it is near enough to be a typing error. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > lengthLimit) return undefined
  const distances = known.map((candidate) => ({
    candidate,
    distance: distanceBetween(plain(name), plain(candidate)),
  }))
  const best = distances.toSorted((a, b) => a.distance - b.distance)[0]
  return best && best.distance <= Math.max(1, Math.floor(name.length / 3)) ? best.candidate : undefined
}

/** `orgId` and `org_id` are the same name to somebody who mistypes one. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** Edits of one letter, where two swapped neighbours count as one edit. */
function distanceBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        (row[j - 1] ?? 0) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}
