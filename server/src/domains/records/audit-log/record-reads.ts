import { Counter, type Registry } from 'prom-client'
import type { Database } from '../../../kernel/db/database.ts'
import type { Log } from '../../../lib/log.ts'
import type { PersonalRead, PersonalReads } from '../../../lib/requests/personal-reads.ts'
import { createWriteBehind } from '../../../lib/flow/write-behind.ts'
import { auditStatement } from './record-audit.ts'

const flushMs = 1_000
/** What one process can hold while the database is slow; more is dropped and counted. */
const bufferLimit = 10_000

/** Records reads of personal data behind their responses, so that no read waits for it. */
export function createPersonalReads(deps: { db: Database; log: Log; registry: Registry }): PersonalReads {
  const dropped = new Counter({
    name: 'switchyard_personal_reads_dropped_total',
    help: 'Reads of personal data that were not recorded in the audit log',
    registers: [deps.registry],
  })
  const buffer = createWriteBehind<PersonalRead>({
    limit: bufferLimit,
    everyMs: flushMs,
    write: (reads) => deps.db.batchAcrossOrgs(reads.map(toStatement)),
    onDropped(count, error) {
      dropped.inc(count)
      deps.log.error({ count, err: error }, 'reads of personal data were not recorded')
    },
  })
  return { record: (read) => buffer.add(read), flush: () => buffer.flush(), close: () => buffer.close() }
}

const toStatement = ({ caller, orgId, route, ids }: PersonalRead) =>
  auditStatement(caller, orgId, {
    action: 'personal-data.read',
    resourceType: 'personal-data',
    resourceId: ids.at(-1) ?? '*',
    after: { route, ids },
  })
