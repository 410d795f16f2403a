import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const outputBytesLimit = 50_000_000

/** A clone that is released from. */
export type Clone = {
  readonly root: string
  /** The output of a git command; throws when it fails. */
  git(...args: string[]): string
  /** The same, or undefined when it fails. */
  tryGit(...args: string[]): string | undefined
  read(path: string): string
  write(path: string, text: string): void
  has(path: string): boolean
}

export function openClone(root: string): Clone {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: outputBytesLimit,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    root,
    git,
    tryGit(...args) {
      try {
        return git(...args)
      } catch {
        return undefined
      }
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    write: (path, text) => writeFileSync(join(root, path), text),
    has: (path) => existsSync(join(root, path)),
  }
}

/** The tag of the last release, or undefined before the first one. */
export const lastRelease = (clone: Clone): string | undefined =>
  clone.tryGit('describe', '--tags', '--abbrev=0', '--match', 'v*')?.trim()
