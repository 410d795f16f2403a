import type { Pool as HttpPool } from 'undici'

export interface Ingress {
  ingress: HttpPool
  namespace: string
}

interface Job {
  /** The service, the key of an object if it has one, and the handler. */
  target: readonly string[]
  payload: unknown
  /** A repeat with the same key has no effect. */
  idempotencyKey: string
  /** The engine counts the delay, by its own clock. */
  delayMs?: number
  headers?: Readonly<Record<string, string>>
}

/** Sends a job to the engine, which accepts it once it is durable. Returns the status of the answer. */
export async function sendJob(
  { ingress }: Pick<Ingress, 'ingress'>,
  { target, payload, idempotencyKey, delayMs, headers }: Job,
  signal: AbortSignal,
): Promise<number> {
  const delay = delayMs === undefined ? '' : `?delay=${Math.max(0, Math.ceil(delayMs))}ms`
  const response = await ingress.request({
    method: 'POST',
    path: `/${target.map(encodeURIComponent).join('/')}/send${delay}`,
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey, ...headers },
    body: JSON.stringify(payload),
    signal,
  })
  await response.body.dump()
  return response.statusCode
}
