import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { findMessageProblems } from './commit-messages.ts'
import { findTool } from './deploy/find-tool.ts'
import { release } from './release.ts'

const repository = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'switchyard-release-test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

type Operation = { operationId: string; responses: object }
const api = (...names: string[]): string => {
  const operation = (name: string): [string, { get: Operation }] => [
    `/${name}`,
    { get: { operationId: name, responses: { 200: {} } } },
  ]
  return JSON.stringify({ paths: Object.fromEntries(names.map(operation)) })
}

let root = ''
let count = 0
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const introduce = (): string =>
  git('config', 'user.name', 'Releaser') + git('config', 'user.email', 'releaser@example.com')
const commit = (): string => git('add', '.') + git('commit', '--quiet', '--message', 'change')
const released = '## [1.1.0] - 2026-01-02\n\n- Good.\n'
const changelog = `# Changelog\n\n## [Unreleased]\n\n- Better.\n\n${released}`

/** What a dry run prints, and whether it passes. */
function dryRun(version: string): { isFine: boolean; text: string } {
  const lines: string[] = []
  const isFine = release({
    root,
    version,
    isDryRun: true,
    hasImage: false,
    print: (line) => lines.push(line),
  })
  return { isFine, text: lines.join('\n') }
}

describe('a version is refused', () => {
  beforeEach(() => {
    count += 1
    root = join(scratch, String(count))
    write('docs/openapi.json', api('pay', 'refund'))
    write('server/migrations/0001_first.sql', 'create table a (b text);\n')
    write('CHANGELOG.md', `# Changelog\n\n## [Unreleased]\n\n${released}`)
    git('init', '--quiet', '--initial-branch', 'main')
    introduce()
    commit()
    git('tag', 'v1.1.0')
  })

  it.each(['1.2', 'v1.2.0', '1.2.0-rc.1', 'next'])('that is none: %s', (version) => {
    expect(dryRun(version)).toEqual({
      isFine: false,
      text: `FAILED   ${version} is no version such as 1.2.3`,
    })
  })

  it('that is not greater than the last one, or is tagged', () => {
    write('CHANGELOG.md', changelog)
    commit()
    expect(dryRun('1.0.9').text).toContain('1.0.9 is not greater than 1.1.0')
    expect(dryRun('1.1.0').text).toContain('the tag v1.1.0 exists already')
  })

  it('while the tree has changes', () => {
    write('CHANGELOG.md', changelog)
    commit()
    expect(dryRun('1.1.1').isFine).toBe(true)
    write('note.txt', 'hello')
    expect(dryRun('1.1.1')).toEqual({ isFine: false, text: expect.stringContaining('?? note.txt') })
  })

  it('without a note in the changelog', () => {
    expect(dryRun('1.1.1').text).toContain('CHANGELOG.md has nothing below "## [Unreleased]"')
  })

  it('that is too small for what the API has become', () => {
    write('docs/openapi.json', api('pay', 'refund', 'cancel'))
    write('CHANGELOG.md', changelog)
    commit()
    expect(dryRun('1.1.1').text).toContain('needs a minor one: cancel (GET /cancel) is new')
    expect(dryRun('1.2.0').isFine).toBe(true)
    write('docs/openapi.json', api('pay', 'cancel'))
    commit()
    expect(dryRun('1.2.0').text).toContain('needs a major one: refund (GET /refund) is gone')
  })

  it('if a migration of the last release was edited or removed', () => {
    write('server/migrations/0001_first.sql', 'create table a (c text);\n')
    write('server/migrations/0002_second.sql', 'create table d (e text);\n')
    write('CHANGELOG.md', changelog)
    commit()
    expect(dryRun('1.1.1').text).toContain('was changed or removed: server/migrations/0001_first.sql')
    expect(dryRun('1.1.1').text).not.toContain('0002_second')
  })
})

describe('a clone of this repository', () => {
  it('is released: version, commit, tag, packages, SBOM and checksums', () => {
    root = join(scratch, 'clone')
    execFileSync('git', [
      'clone',
      '--quiet',
      '--no-tags',
      '--no-local',
      '--depth',
      '1',
      `file://${repository}`,
      root,
    ])
    for (const name of ['node_modules', '.toolchain']) symlinkSync(join(repository, name), join(root, name))
    appendFileSync(join(root, '.git/info/exclude'), 'node_modules\n.toolchain\n')
    introduce()
    write('CHANGELOG.md', changelog)
    commit()
    const lines: string[] = []
    const options = { root, version: '7.8.9', isDryRun: false, hasImage: false }
    expect(release({ ...options, print: (line) => lines.push(line) })).toBe(true)

    const dist = join(root, 'dist/7.8.9')
    expect(readdirSync(dist).toSorted()).toEqual(
      [
        'NOTES.md',
        'SHA256SUMS',
        'openapi.json',
        'switchyard-7.8.9-py3-none-any.whl',
        'switchyard-7.8.9.cdx.json',
        'switchyard-7.8.9.tar.gz',
        ...(findTool('helm') === undefined ? [] : ['switchyard-7.8.9.tgz']),
        'switchyard-cli-7.8.9.tgz',
        'switchyard-sdk-7.8.9.tgz',
      ].toSorted(),
    )
    execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: dist })
    expect(readFileSync(join(dist, 'NOTES.md'), 'utf8')).toBe('- Better.\n')
    expect(lines).toContain('left out image: the option --no-image was given')
    expect(git('tag', '--list', '--format=%(subject)', 'v7.8.9')).toBe('Switchyard 7.8.9\n')
    expect(git('log', '-1', '--format=%s', 'v7.8.9')).toBe('chore(release): write version 7.8.9\n')
    expect(findMessageProblems(git('log', '-1', '--format=%B', 'v7.8.9'))).toEqual([])
    expect(git('status', '--porcelain')).toBe('')
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toMatch(
      /^## \[Unreleased\]\n\n## \[7\.8\.9\] - \d{4}-\d\d-\d\d\n\n- Better\.$/m,
    )
    const sbom: unknown = JSON.parse(readFileSync(join(dist, 'switchyard-7.8.9.cdx.json'), 'utf8'))
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX' })
    expect(dryRun('7.8.9').text).toContain('the tag v7.8.9 exists already')

    // As the workflow does on a pushed tag: the same commit is built again, and tagged again here only.
    git('tag', '--delete', 'v7.8.9')
    const tagged = git('rev-parse', 'HEAD')
    expect(dryRun('7.8.9').isFine).toBe(true)
    expect(git('rev-parse', 'HEAD')).toBe(tagged)
    expect(dryRun('7.8.10').text).toContain('CHANGELOG.md has nothing below')
  }, 120_000)
})
