/** The values of a form as they were submitted. */
export interface FormValues {
  fields: Readonly<Record<string, string>>
  /** For display: the labels of the fields and the values that were entered or chosen. */
  shown: readonly { label: string; value: string }[]
}

export interface PendingSubmission {
  key: string
  sent: FormValues
}

const prefix = 'switchyard-sending '
/** The server remembers a key for a day; a repeat after that would be a new submission. */
const maxAgeMs = 12 * 60 * 60 * 1000

/** Stored for this tab only, until the tab is closed. */
export function storeSubmission(place: string | undefined, pending: PendingSubmission): void {
  if (place !== undefined)
    sessionStorage.setItem(`${prefix}${place}`, JSON.stringify({ ...pending, at: Date.now() }))
}

export function findSubmission(place: string | undefined): PendingSubmission | undefined {
  if (place === undefined) return undefined
  const text = sessionStorage.getItem(`${prefix}${place}`)
  if (text === null) return undefined
  const { at, ...pending } = JSON.parse(text) as PendingSubmission & { at: number } // written above
  if (Date.now() - at < maxAgeMs) return pending
  removeSubmission(place)
  return undefined
}

export function removeSubmission(place: string | undefined): void {
  if (place !== undefined) sessionStorage.removeItem(`${prefix}${place}`)
}
