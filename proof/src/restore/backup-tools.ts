import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFile, chmod, chown, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { unprivilegedUser } from '@switchyard/stack/services/unprivileged-user.ts'

const run = promisify(execFile)
const timeoutMs = 300_000
const stanza = 'drill'

/** PostgreSQL and pgBackRest in the root directory that tools/use-pgbackrest.sh makes. */
export type BackupTools = {
  /** The same path inside the root and outside it. */
  readonly directory: string
  /** Starts the server in the root. */
  readonly postgresProgram: string
  readonly settings: Record<string, string>
  readonly repository: string
  /** The command line of pgBackRest, such as for verify-backup. */
  readonly command: readonly string[]
  /** Runs a command of pgBackRest and returns what it prints. */
  pgbackrest(...args: string[]): Promise<string>
  /** Writes the configuration, once the port of Postgres is known. */
  configure(port: number): Promise<void>
  versions(): Promise<string>
  remove(): Promise<void>
}

const root = join(repositoryDir, '.toolchain/pgbackrest')
const serverProgram = '/usr/lib/postgresql/18/bin/postgres'

export async function openBackupTools(): Promise<BackupTools> {
  const user = await unprivilegedUser()
  if (!user) throw new Error('a chroot can be entered by root only')
  await prepareRoot(user)
  const directory = join(root, 'drill', randomUUID().slice(0, 8))
  const at = (name: string): string => join(directory, name)
  for (const name of ['', 'repo', 'lock', 'logs']) {
    await mkdir(at(name), { recursive: true })
    await chown(at(name), user.uid, user.gid)
  }
  const enter = ['chroot', `--userspec=${user.uid}:${user.gid}`, root]
  const configFile = at('pgbackrest.conf')
  const backup = ['pgbackrest', `--config=${configFile}`, `--stanza=${stanza}`]
  // pgBackRest asks Postgres by its socket, with the password of the superuser.
  const command = [...enter, 'env', 'PGPASSWORD=postgres', ...backup]
  const postgresProgram = at('postgres-server')
  await writeFile(postgresProgram, `#!/bin/sh\nexec ${enter.join(' ')} ${serverProgram} "$@"\n`)
  await chmod(postgresProgram, 0o755)
  const execute = async (program: readonly string[]): Promise<string> => {
    const [file = '', ...args] = program
    const { stdout, stderr } = await run(file, args, { timeout: timeoutMs })
    return `${stdout}${stderr}`.trim()
  }
  return {
    directory,
    postgresProgram,
    repository: at('repo'),
    command,
    settings: {
      unix_socket_directories: '/tmp',
      // There is no /dev/shm in the root.
      dynamic_shared_memory_type: 'mmap',
      archive_mode: 'on',
      archive_timeout: '2',
      archive_command: `${backup.join(' ')} archive-push %p`,
    },
    pgbackrest: (...args) => execute([...command, ...args]),
    async configure(port) {
      await writeFile(configFile, configuration(directory, port))
    },
    async versions() {
      const postgres = await execute([...enter, serverProgram, '--version'])
      return `${postgres}; ${await execute([...enter, 'pgbackrest', 'version'])}`
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

const configuration = (directory: string, port: number): string => `[global]
repo1-path=${directory}/repo
repo1-retention-full=2
lock-path=${directory}/lock
log-path=${directory}/logs
log-level-file=off
log-level-console=warn
start-fast=y
compress-type=zst

[${stanza}]
pg1-path=${directory}/postgres
pg1-port=${port}
pg1-socket-path=/tmp
pg1-user=postgres
`

/** Makes paths mean the same inside and outside, and gives the user of the machine a name inside. */
async function prepareRoot({ name, uid, gid }: { name: string; uid: number; gid: number }): Promise<void> {
  await mkdir(join(root, dirname(root)), { recursive: true })
  await symlink('/', join(root, root)).catch((error: unknown) => {
    if (!String(error).includes('EEXIST')) throw error
  })
  const passwords = join(root, 'etc/passwd')
  const isKnown = (await readFile(passwords, 'utf8'))
    .split('\n')
    .some((line) => line.split(':')[2] === String(uid))
  if (!isKnown) await appendFile(passwords, `drill-${name}:x:${uid}:${gid}::/:/usr/sbin/nologin\n`)
}
