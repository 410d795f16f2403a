import { execFile } from 'node:child_process'
import { access, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { assertReachable, type SystemUser } from './unprivileged-user.ts'

type DataDir = {
  initdb: string
  dataDir: string
  password: string
  user: SystemUser | undefined
  sync: boolean
}

const run = promisify(execFile)
const initdbTimeoutMs = 120_000

/** Creates the data directory on the first start. initdb runs in a temporary directory, so a failed run leaves nothing. */
export async function initializeDataDir({ initdb, dataDir, password, user, sync }: DataDir): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true })
  await assertReachable(dataDir, user)
  if (await exists(join(dataDir, 'PG_VERSION'))) return
  if ((await readdir(dataDir).catch(() => [])).length > 0) {
    throw new Error(`${dataDir} is neither empty nor a PostgreSQL data directory`)
  }

  const freshDir = `${dataDir}.initdb`
  const passwordFile = `${dataDir}.password`
  try {
    await rm(freshDir, { recursive: true, force: true })
    await mkdir(freshDir, { mode: 0o700 })
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (user) await Promise.all([freshDir, passwordFile].map((path) => chown(path, user.uid, user.gid)))
    await run(initdb, initdbFlags(freshDir, passwordFile, sync), {
      ...(user && { uid: user.uid, gid: user.gid }),
      cwd: '/',
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      timeout: initdbTimeoutMs,
    })
    await rename(freshDir, dataDir)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(freshDir, { recursive: true, force: true })
  }
}

function initdbFlags(dataDir: string, passwordFile: string, sync: boolean): string[] {
  const flags = [
    `--pgdata=${dataDir}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The built-in locale sorts text the same way on every machine.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ]
  return sync ? flags : [...flags, '--no-sync']
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
