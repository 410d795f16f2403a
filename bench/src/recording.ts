export const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export type RecordedValue = string | { base64: string } | null

export type RecordedStatement = { text: string; values: RecordedValue[] }

/** The statements of one payment: each group is sent at once by one role, the next when it is answered. */
export type Recording = {
  groups: { role: string; statements: RecordedStatement[] }[]
  /** Ids that differ from one payment to the next. */
  freshIds: string[]
}
