import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findChanges } from './changed-files.ts'

let root: string
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
const write = (name: string, text = name): void => writeFileSync(join(root, name), text)
const commit = (...names: string[]): string => {
  for (const name of names) write(name)
  git('add', '.')
  git('commit', '--quiet', '--message', 'change')
  return git('rev-parse', 'HEAD')
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchyard-changes-'))
  git('init', '--quiet', '--initial-branch', 'main')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('on a branch everything since main counts: commits, edits and new files, without deleted ones', async () => {
  const base = commit('kept.ts', 'edited.ts', 'deleted.ts')
  git('switch', '--quiet', '--create', 'work')
  commit('committed.ts')
  write('edited.ts', 'other')
  write('new.ts')
  rmSync(join(root, 'deleted.ts'))
  expect(await findChanges(root)).toEqual({ base, files: ['committed.ts', 'edited.ts', 'new.ts'] })
})

it('what main received since the branch was made does not count', async () => {
  const base = commit('kept.ts')
  git('switch', '--quiet', '--create', 'work')
  commit('mine.ts')
  git('switch', '--quiet', 'main')
  commit('theirs.ts')
  git('switch', '--quiet', 'work')
  expect(await findChanges(root)).toEqual({ base, files: ['mine.ts'] })
})

it('on main, and where there is no main, only uncommitted changes count', async () => {
  const base = commit('kept.ts')
  write('new.ts')
  expect(await findChanges(root)).toEqual({ base, files: ['new.ts'] })
  git('branch', '--move', 'trunk')
  expect(await findChanges(root)).toEqual({ base, files: ['new.ts'] })
})

it('a folder that is no repository is refused', async () => {
  rmSync(join(root, '.git'), { recursive: true })
  await expect(findChanges(root)).rejects.toThrow('git rev-parse HEAD failed')
})
