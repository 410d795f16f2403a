/** A submission as it was sent. */
export interface Sent {
  fields: Readonly<Record<string, string>>
  /** The same for the reader: the labels of the fields with what was typed or chosen. */
  shown: readonly { label: string; value: string }[]
}

export interface Kept {
  key: string
  sent: Sent
}

const prefix = 'switchyard-sending '
/** The server knows a key for a day; a repeat after that would be a new submission. */
const keptMs = 12 * 60 * 60 * 1000

/** Of this tab only, and gone with it. */
export function keepSending(place: string | undefined, kept: Kept): void {
  if (place !== undefined)
    sessionStorage.setItem(`${prefix}${place}`, JSON.stringify({ ...kept, at: Date.now() }))
}

export function keptSending(place: string | undefined): Kept | undefined {
  if (place === undefined) return undefined
  const text = sessionStorage.getItem(`${prefix}${place}`)
  if (text === null) return undefined
  const { at, ...kept } = JSON.parse(text) as Kept & { at: number } // written above
  if (Date.now() - at < keptMs) return kept
  dropSending(place)
  return undefined
}

export function dropSending(place: string | undefined): void {
  if (place !== undefined) sessionStorage.removeItem(`${prefix}${place}`)
}
