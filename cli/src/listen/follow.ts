import { ApiError, ConnectionError } from '@switchyard/sdk'
import type { Io } from '../io.ts'
import type { Session } from '../session.ts'

/** A row of an append-only list. */
interface DatedRow {
  readonly created_at: string
}

interface Source<Row extends DatedRow> {
  /** The rows since a time, newest first. */
  readonly read: (since: string) => AsyncIterable<Row>
  readonly idOf: (row: Row) => string
  readonly since: Date
  readonly pollMs?: number
}

/** A late commit can appear before rows that were already read, so this period is read again. */
const overlapMs = 60_000
const defaultPollMs = 1_000
const outageStatuses: readonly number[] = [429, 500, 502, 503, 504]

/** Yields every row from a given time on, oldest first and once each, until Ctrl-C. It retries during an outage. */
export async function* follow<Row extends DatedRow>(
  io: Io,
  { read, idOf, since, pollMs = defaultPollMs }: Source<Row>,
): AsyncGenerator<Row, void> {
  const seenAt = new Map<string, number>()
  let newestMs = since.getTime()
  let isOut = false
  while (!io.signal.aborted) {
    const fromMs = Math.max(since.getTime(), newestMs - overlapMs)
    try {
      const rows: Row[] = []
      for await (const row of read(new Date(fromMs).toISOString())) rows.push(row)
      if (isOut) io.report('The installation responds again.')
      isOut = false
      for (const row of rows.reverse()) {
        if (seenAt.has(idOf(row))) continue
        const createdMs = Date.parse(row.created_at)
        seenAt.set(idOf(row), createdMs)
        newestMs = Math.max(newestMs, createdMs)
        yield row
      }
    } catch (error) {
      if (!isOutage(error)) throw error
      if (!isOut) io.report(`${error.message} Retrying until it responds.`)
      isOut = true
    }
    for (const [id, createdMs] of seenAt) if (createdMs < newestMs - 2 * overlapMs) seenAt.delete(id)
    await io.sleep(pollMs)
  }
}

const isOutage = (error: unknown): error is Error =>
  error instanceof ConnectionError || (error instanceof ApiError && outageStatuses.includes(error.status))

const durationPattern = /^(\d{1,6})([smhd])$/
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration such as `10m` ago, a date, or now. Now is the server's time, because this machine's clock may be wrong. */
export async function startTime(session: Session, given: string | undefined): Promise<Date> {
  if (given !== undefined && !durationPattern.test(given)) return dateOf(given)
  const { headers } = await session.client.users.me().withResponse()
  const now = Date.parse(headers.get('date') ?? '') || session.io.now().getTime()
  const [, count, unit] = durationPattern.exec(given ?? '0s') ?? []
  return new Date(now - Number(count) * (unitMs[unit ?? ''] ?? 0))
}

function dateOf(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime()))
    throw new TypeError(`${text} is neither a time nor a duration such as 10m.`)
  return date
}
