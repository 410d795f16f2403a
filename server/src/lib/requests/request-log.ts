/** What is recorded about a request of a member: never its body, its query or the values in its path. */
interface RecordedRequest {
  orgId: string
  userId: string
  credential: string
  apiKeyId: string | null
  method: string
  route: string
  status: number
  code: string | null
  durationUs: number
  requestId: string
  createdAt: Date
}

export interface RequestLog {
  /** Returns at once; what it records is written later. */
  record(request: RecordedRequest): void
  flush(): Promise<void>
  close(): Promise<void>
}
