import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

export type Changes = {
  /** The commit that the work started from. */
  readonly base: string
  /** Paths of the files that were added or edited since, committed or not; deleted files are left out. */
  readonly files: readonly string[]
}

const gitTimeoutMs = 30_000
const mainBranches = ['main', 'origin/main']

/** Compares with the merge base of main, and with HEAD where there is no main or HEAD is on it. */
export async function findChanges(root: string): Promise<Changes> {
  const base = await findBase(root)
  const edited = await git(root, 'diff', '--name-only', '-z', base)
  const untracked = await git(root, 'ls-files', '--others', '--exclude-standard', '-z')
  const paths = new Set([...edited.split('\0'), ...untracked.split('\0')].filter((path) => path !== ''))
  return { base, files: [...paths].filter((path) => existsSync(join(root, path))).toSorted() }
}

async function findBase(root: string): Promise<string> {
  for (const branch of mainBranches) {
    const found = await tryGit(root, 'merge-base', 'HEAD', branch)
    if (found !== undefined) return found.trim()
  }
  return (await git(root, 'rev-parse', 'HEAD')).trim()
}

async function git(root: string, ...args: string[]): Promise<string> {
  const output = await tryGit(root, ...args)
  if (output === undefined) throw new Error(`git ${args.join(' ')} failed in ${root}`)
  return output
}

async function tryGit(root: string, ...args: string[]): Promise<string | undefined> {
  const result = await runCommand({ program: 'git', args, cwd: root, timeoutMs: gitTimeoutMs })
  return result.isSuccess ? result.stdout : undefined
}
