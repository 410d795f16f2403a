/** In requests that are traced, the number of the request. */
export const traceHeader = 'x-bench-request'

/** The shares of requests for which a result has the latency. */
export const quantileShares = [0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999] as const

export type LoadOptions = {
  origin: string
  path: string
  headers: Record<string, string>
  /** The callers, who send requests in turns. */
  apiKeys: string[]
  /** `{uuid}` is replaced by a new UUID in each request. */
  body: string
  connections: number
  warmUpSeconds: number
  seconds: number
  /** Starts requests at this rate even if earlier ones are open; without it, each connection sends continuously. */
  perSecond?: number
  /** Numbers the requests in a header, and reports when each of them was due, sent and answered. */
  isTraced: boolean
  /** What a server answers that has done what it was asked; 200 unless given. */
  okStatus?: number
}
