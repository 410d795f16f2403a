import type { Pool as HttpPool } from 'undici'

export interface Ingress {
  ingress: HttpPool
  namespace: string
}

interface LaterJob {
  /** The service and its handler. */
  target: readonly string[]
  payload: unknown
  headers: Readonly<Record<string, string>>
  idempotencyKey: string
  delayMs: number
}

const timeoutMs = 10_000

/** The engine starts the job after the delay, which it counts by its own clock. A repeat has no effect. */
export async function sendLater({ ingress }: Pick<Ingress, 'ingress'>, job: LaterJob): Promise<void> {
  const response = await ingress.request({
    method: 'POST',
    path: `/${job.target.map(encodeURIComponent).join('/')}/send?delay=${Math.max(0, Math.ceil(job.delayMs))}ms`,
    headers: { 'content-type': 'application/json', 'idempotency-key': job.idempotencyKey, ...job.headers },
    body: JSON.stringify(job.payload),
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body.dump()
  if (response.statusCode >= 300) throw new Error(`the engine answered ${response.statusCode}`)
}
