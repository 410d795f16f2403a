import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Span } from './trace-options.ts'

/** What a backend was doing at a moment. */
export interface BackendSample {
  atMs: number
  pid: number
  /** What it waited for; undefined while it ran or waited for a processor. */
  wait: string | undefined
}

interface PostgresWatch {
  stop(): Promise<{ backends: BackendSample[]; vacuums: Span[] }>
}

const intervalMs = 20

/** Cheaper than the view `pg_stat_activity`, which joins the names of databases and roles. */
const activityQuery = `
  select pid, backend_type as kind, case when wait_event is not null then wait_event_type || ' ' || wait_event end as wait
  from pg_stat_get_activity(null)
  where pid <> pg_backend_pid() and (state = 'active' or backend_type = 'autovacuum worker')`

/** Notes again and again what the backends of Postgres are doing. */
export async function watchPostgres(url: string): Promise<PostgresWatch> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const backends: BackendSample[] = []
  const vacuums: Span[] = []
  let isBusy = false
  const sample = async (): Promise<void> => {
    const { rows } = await client.query<{ pid: number; kind: string; wait: string | null }>({
      name: 'activity',
      text: activityQuery,
    })
    const atMs = performance.timeOrigin + performance.now()
    for (const { pid, kind, wait } of rows)
      if (kind === 'autovacuum worker') vacuums.push({ fromMs: atMs - intervalMs, toMs: atMs })
      else backends.push({ atMs, pid, wait: wait ?? undefined })
  }
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    sample().then(
      () => (isBusy = false),
      () => (isBusy = false),
    )
  }, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await client.end()
      return { backends, vacuums }
    },
  }
}

const checkpointLine = /^(\S+ \S+) UTC .*checkpoint (starting|complete)(?:.*sync=([\d.]+) s)?/

/** From the log: when checkpoints wrote, and when they waited for the disk at their end. */
export function checkpointsIn(logFile: string): { writes: Span[]; syncs: Span[] } {
  const writes: Span[] = []
  const syncs: Span[] = []
  let fromMs: number | undefined
  for (const line of readFileSync(logFile, 'utf8').split('\n')) {
    const [, time, what, sync] = checkpointLine.exec(line) ?? []
    if (time === undefined) continue
    const atMs = Date.parse(`${time.replace(' ', 'T')}Z`)
    if (what === 'starting') fromMs = atMs
    else if (fromMs !== undefined) {
      writes.push({ fromMs, toMs: atMs })
      syncs.push({ fromMs: atMs - Number(sync ?? 0) * 1_000, toMs: atMs })
      fromMs = undefined
    }
  }
  // One that has not ended yet.
  if (fromMs !== undefined) writes.push({ fromMs, toMs: Infinity })
  return { writes, syncs }
}
