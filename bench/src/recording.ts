export const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export type RecordedValue =
  { kind: 'plain'; value: unknown } | { kind: 'bytes'; base64: string } | { kind: 'now' }

/** Without values it is text alone, such as begin. */
export type RecordedQuery = { text: string; name?: string; values?: RecordedValue[] }

/** The statements of one payment: each group is sent at once on one connection, the next when it is answered. */
export type Recording = {
  groups: { role: string; queries: RecordedQuery[] }[]
  freshIds: string[]
}
