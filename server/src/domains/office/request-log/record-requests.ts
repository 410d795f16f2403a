import { Counter, type Registry } from 'prom-client'
import type { Database } from '../../../kernel/db/database.ts'
import { newId } from '../../../lib/ids.ts'
import type { Log } from '../../../lib/log.ts'
import type { RequestLog } from '../../../lib/requests/request-log.ts'
import { createWriteBehind } from '../../../lib/flow/write-behind.ts'
import type { RequestEntry } from './record.ts'
import { insertEntriesAcrossOrgs } from './store.ts'

const flushMs = 1_000
/** What one process can hold while the database is slow; more is dropped and counted. */
const bufferLimit = 10_000

/** Records requests behind their responses: no request waits for it or fails by it. */
export function createRequestLog(deps: { db: Database; log: Log; registry: Registry }): RequestLog {
  const dropped = new Counter({
    name: 'switchyard_request_log_dropped_total',
    help: 'Requests that were not recorded in the request log',
    registers: [deps.registry],
  })
  const buffer = createWriteBehind<RequestEntry>({
    limit: bufferLimit,
    everyMs: flushMs,
    write: (entries) => deps.db.batchAcrossOrgs([insertEntriesAcrossOrgs(entries)]),
    onDropped(count, error) {
      dropped.inc(count)
      if (error !== undefined) deps.log.warn({ count, err: error }, 'requests were not recorded')
    },
  })
  return {
    record: (request) => buffer.add({ ...request, entryId: newId() }),
    flush: () => buffer.flush(),
    close: () => buffer.close(),
  }
}
