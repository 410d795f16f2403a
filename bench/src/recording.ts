export const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export type RecordedValue = string | { base64: string } | null

export type RecordedStatement = { text: string; values: RecordedValue[] }

/** The statements of one payment. Each group is one pipeline of one role; the next waits for its results. */
export type Recording = {
  groups: { role: string; statements: RecordedStatement[] }[]
  /** Ids that differ from one payment to the next. */
  freshIds: string[]
}
