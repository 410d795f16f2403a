import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findDeadPaths } from './doc-paths.ts'

const root = join(import.meta.dirname, '../..')
const files = ['README.md', 'docs/money.md', 'server/src/lib/money/money.ts', 'tools/use-node.sh']
const deadIn = (text: string, path = 'README.md'): string[] =>
  findDeadPaths(
    [
      { path, text },
      { path: 'docs/money.md', text: '# Money\n\n## What is `held`?\n' },
    ],
    files,
  )

describe('a path is refused', () => {
  it.each([
    ['a link to nothing', '[money](docs/cash.md)', 'docs/cash.md'],
    [
      'a link to a heading that is not there',
      '[held](docs/money.md#what-is-sent)',
      'docs/money.md#what-is-sent',
    ],
    ['a source file', '`server/src/lib/cash.ts` adds', 'server/src/lib/cash.ts'],
    ['a source file by its short name', '`cash.ts` adds', 'cash.ts'],
    ['a folder', '`server/src/cash` adds', 'server/src/cash'],
  ])('%s', (_what, text, name) => {
    expect(deadIn(`one\n${text}\n`)).toEqual([`README.md:2 names ${name}, which does not exist`])
  })

  it('a file of a drawing', () => {
    expect(deadIn('```\npay →\n  money.ts → cash.ts\n```\n')).toEqual([
      'README.md:3 names cash.ts, which does not exist',
    ])
  })

  it('a folder of a tree', () => {
    const tree = '```text tree\nserver/        the server\n  src/lib/     money\n  migrations/  SQL\n```\n'
    expect(deadIn(tree)).toEqual(['README.md:4 names server/migrations, which does not exist'])
  })
})

describe('a path is accepted', () => {
  it.each([
    '[money](docs/money.md#what-is-held), [held](docs/money.md) and [site](https://example.com/a.md)',
    '`server/src/lib/money`, `lib/money/`, `money.ts`, `tools/use-node.sh`, `@switchyard/server/lib/money/money.ts`',
    '`/v1/payments/{id}`, `and/or`, `server/migrations/NNNN_what_it_does.sql`, `.switchyard/dev.json`',
    '```sh\ncat docs/cash.md `cash.ts`\n```',
  ])('%s', (text) => {
    expect(deadIn(text)).toEqual([])
  })

  it('as seen from the folder of the page', () => {
    expect(deadIn('[readme](../README.md)', 'docs/new.md')).toEqual([])
    expect(deadIn('[readme](README.md)', 'docs/new.md')).toHaveLength(1)
  })
})

it('every path that a page of this repository names exists', () => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const all = listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
  const pages = all
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  expect(findDeadPaths(pages, all).join('\n')).toBe('')
})
