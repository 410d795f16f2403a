import { execFile } from 'node:child_process'
import { chown, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'

const run = promisify(execFile)

/** Copies the files of a running Postgres, so that another server can start from them. */
export async function copyPostgres(url: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('crash', true)`)
    await copyDirectory(from, to)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    // The copy is consistent only together with the WAL that was written since it began.
    await copyDirectory(join(from, 'pg_wal'), join(to, 'pg_wal'))
    await rm(join(to, 'postmaster.pid'), { force: true })
    await writeOwned(to, 'backup_label', rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
}

/** Keeps owners and modes. Files that disappear while the directory is being copied are ignored. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await run('cp', ['-a', from, to]).catch(async (error: unknown) => {
    if (!String(error).includes('No such file or directory')) throw error
  })
}

/** Gives the file the same owner as its directory. */
export async function writeOwned(directory: string, name: string, text: string): Promise<void> {
  const file = join(directory, name)
  await writeFile(file, text)
  const { uid, gid } = await stat(directory)
  await chown(file, uid, gid)
}
