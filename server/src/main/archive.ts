import { mkdir } from 'node:fs/promises'
import { archiveMonths } from '../kernel/db/archive/archive-months.ts'
import { connectOwner, makePartitionsAhead } from '../kernel/db/archive/partitions.ts'
import { connectDatabase } from '../kernel/db/database.ts'
import { systemClock } from '../lib/clock.ts'
import { archiveUses } from './archive-uses.ts'
import { readArchiveConfig } from './config.ts'
import { startProcess } from './process-start.ts'
import { StartError } from './start-error.ts'

/** `npm run archive`: moves the months that are older than their retention to files, and makes the coming ones. */
const config = await startProcess(async () => {
  const read = readArchiveConfig()
  const { ARCHIVE_DIRECTORY: directory } = read
  if (directory === undefined)
    throw new StartError(['ARCHIVE_DIRECTORY is not set. It is the directory for archives of old months.'])
  return { ...read, ARCHIVE_DIRECTORY: directory }
})
await mkdir(config.ARCHIVE_DIRECTORY, { recursive: true, mode: 0o700 })
const db = connectDatabase({
  appUrl: config.DATABASE_APP_URL,
  systemUrl: config.DATABASE_SYSTEM_URL,
  poolSize: 1,
})
const owner = await connectOwner(config.DATABASE_OWNER_URL)
try {
  await makePartitionsAhead(db)
  const moved = await archiveMonths({
    owner,
    db,
    clock: systemClock,
    directory: config.ARCHIVE_DIRECTORY,
    retention: {
      events: config.RETENTION_EVENTS_MONTHS,
      audit_log: config.RETENTION_AUDIT_LOG_MONTHS,
      inquiries: config.RETENTION_INQUIRIES_MONTHS,
      rate_quotes: config.RETENTION_RATE_QUOTES_MONTHS,
    },
    ...archiveUses(db),
    log: (line) => process.stdout.write(`${line}\n`),
  })
  process.stdout.write(moved === 0 ? 'No month was archived.\n' : `${moved} months were archived.\n`)
} finally {
  await owner.end()
  await db.close()
}
