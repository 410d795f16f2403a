import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkCommits, findMessageProblems } from './commit-messages.ts'

const why = 'The remainder was lost before, so shares did not add up.'

describe('findMessageProblems', () => {
  it.each([
    `feat(escrow): distribute rounding by largest remainder\n\n${why}\n`,
    `fix(kernel/db)!: pass the tenant with every batch\n\n${why}\n\nSigned-off-by: Ada <ada@example.com>`,
    `chore(release): seed 0.1.0\n\n${why}`,
  ])('accepts %j', (message) => {
    expect(findMessageProblems(message)).toEqual([])
  })

  it.each([
    [`escrow: distribute rounding\n\n${why}`, 'needs the form type(scope): summary'],
    [`feat: distribute rounding\n\n${why}`, 'needs the form type(scope): summary'],
    [`feature(escrow): distribute rounding\n\n${why}`, 'needs the form type(scope): summary'],
    [`feat(escrow): distributed rounding\n\n${why}`, 'begins its summary with "distributed"'],
    [`feat(escrow): distributes rounding\n\n${why}`, 'begins its summary with "distributes"'],
    [`feat(escrow): distributing rounding\n\n${why}`, 'begins its summary with "distributing"'],
    [`feat(escrow): Distribute rounding\n\n${why}`, 'begins its summary with "Distribute"'],
    [`feat(escrow): distribute ${'rounding '.repeat(7)}\n\n${why}`, 'characters, over 72'],
    [`feat(escrow): distribute rounding.\n\n${why}`, 'ends its subject with a full stop'],
    [`feat(escrow): distribute rounding\n${why}\nmore\n`, 'has no empty line below its subject'],
    ['feat(escrow): distribute rounding', 'has no body that says why'],
    ['feat(escrow): distribute rounding\n\nas agreed', 'has no body that says why'],
    [
      'feat(escrow): distribute rounding\n\nSigned-off-by: Ada Lovelace <ada@example.com> of London',
      'has no body that says why',
    ],
  ])('refuses %j', (message, problem) => {
    expect(findMessageProblems(message).join('\n')).toContain(problem)
  })
})

describe('checkCommits', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'switchyard-commits-'))
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  const identity = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }

  function repositoryWith(name: string, ...commits: [date: string, message: string][]): string {
    const root = join(scratch, name)
    mkdirSync(root)
    const git = (args: string[], date = '2026-01-01T00:00:00Z'): string =>
      execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, ...identity, ...committer, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      })
    git(['init', '--quiet', '--initial-branch', 'main'])
    for (const [date, message] of commits)
      git(['commit', '--quiet', '--allow-empty', '--message', message], date)
    return root
  }

  it('checks the commits since the rule began, and no older ones', async () => {
    const root = repositoryWith(
      'mixed',
      ['2026-11-18T11:59:59Z', 'something'],
      ['2026-11-18T12:00:01Z', `fix(fees): round half up\n\n${why}`],
      ['2026-11-19T12:00:00Z', 'something else'],
    )
    const { problems, note } = await checkCommits(root)
    expect(problems).toHaveLength(2)
    expect(problems.join('\n')).toMatch(/^[0-9a-f]+ \(something else\) needs the form/)
    expect(note).toBe('2 commits since 2026-11-18T12:00:00Z')
  })

  it('skips a shallow clone and a folder without history, and says so', async () => {
    const origin = repositoryWith('origin', ['2026-11-19T12:00:00Z', 'one'], ['2026-11-19T13:00:00Z', 'two'])
    const clone = join(scratch, 'shallow')
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${origin}`, clone])
    expect(await checkCommits(clone)).toEqual({ problems: [], note: 'skipped: the clone is shallow' })
    for (const tarball of [join(scratch, 'tarball'), join(origin, 'tarball')]) {
      mkdirSync(tarball)
      const note = 'skipped: this folder has no git history'
      expect(await checkCommits(tarball)).toEqual({ problems: [], note })
    }
  })

  it('leaves out merges', async () => {
    const root = repositoryWith('merged', ['2026-11-19T12:00:00Z', `fix(fees): round half up\n\n${why}`])
    const git = (...args: string[]): string =>
      execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, ...identity, ...committer },
      })
    git('checkout', '--quiet', '-b', 'side')
    git('commit', '--quiet', '--allow-empty', '--message', `fix(fees): name the unit\n\n${why}`)
    git('checkout', '--quiet', 'main')
    git('merge', '--quiet', '--no-ff', '--message', 'Merge side', 'side')
    expect((await checkCommits(root)).problems).toEqual([])
  })
})
