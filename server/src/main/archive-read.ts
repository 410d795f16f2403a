import { parseArgs } from 'node:util'
import { readArchive, verifyArchive } from '../kernel/db/archive/archive-file.ts'
import { connectOwner } from '../kernel/db/archive/partitions.ts'
import { restoreArchive } from '../kernel/db/archive/restore-archive.ts'
import { isUuid } from '../lib/ids.ts'
import { readMigrationConfig } from './config.ts'
import { startProcess } from './process-start.ts'
import { StartError } from './start-error.ts'

/**
 * `npm run archive:read -- [--org ID | --restore] FILE`: checks an archive against its manifest, and then prints the
 * rows of one organisation as CSV, or puts all rows back into their table.
 */
const { values, positionals } = parseArgs({
  options: { org: { type: 'string' }, restore: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [path = ''] = positionals
await startProcess(async () => {
  if (positionals.length !== 1) throw new StartError(['Name one archive, such as events_2026_01.csv.zst.'])
  if (values.org !== undefined && !isUuid(values.org))
    throw new StartError(['--org takes the id of an organisation.'])
  return undefined
})
const manifest = await verifyArchive(path)
if (values.restore) {
  const { DATABASE_OWNER_URL: url } = await startProcess(async () => readMigrationConfig())
  const owner = await connectOwner(url)
  try {
    const rows = await restoreArchive(owner, path)
    process.stdout.write(`${rows} rows are in ${manifest.table} again.\n`)
  } finally {
    await owner.end()
  }
} else if (values.org === undefined) {
  process.stdout.write(`${JSON.stringify(manifest, null, 2)}\nThe archive is as it was written.\n`)
} else {
  // The organisation is the first column, and an id needs no quotes.
  const prefix = `${values.org},`
  process.stdout.write(`${manifest.columns.join(',')}\n`)
  await readArchive(path, manifest, (record) => {
    if (record.startsWith(prefix)) process.stdout.write(`${record}\n`)
  })
}
