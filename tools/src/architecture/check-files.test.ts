import { describe, expect, it } from 'vitest'
import {
  checkConnectorLengths,
  checkFileLengths,
  checkFileNames,
  checkLintExceptions,
  checkLockIntegrity,
  checkLockfile,
  checkRegistryHosts,
  checkUnfinishedMarks,
} from './check-files.ts'
import { repositoryOf, type Repository } from './repository.ts'

function holding(path: string, text = ''): Repository {
  return repositoryOf([{ path, text }])
}

describe('the length of a file', () => {
  it('300 lines are accepted and 301 refused', () => {
    expect(checkFileLengths(holding('stack/src/dev/main.ts', '//\n'.repeat(300)))).toEqual([])
    expect(checkFileLengths(holding('stack/src/dev/main.ts', '//\n'.repeat(301)))).toEqual([
      'stack/src/dev/main.ts:301 has 301 lines; a file has at most 300',
    ])
  })

  it.each(['server/src/domains/payments/store.ts', 'stack/src/dev/main.test.ts'])(
    '400 lines of %s are accepted and 401 refused',
    (path) => {
      expect(checkFileLengths(holding(path, '//\n'.repeat(400)))).toEqual([])
      expect(checkFileLengths(holding(path, '//\n'.repeat(401)))).toEqual([
        `${path}:401 has 401 lines; a file has at most 400`,
      ])
    },
  )

  it('only a whole name makes a store', () => {
    const path = 'server/src/domains/payments/restore.ts'
    expect(checkFileLengths(holding(path, '//\n'.repeat(301)))).toHaveLength(1)
  })

  it('a connector has 1000 lines in all its files, tests excepted', () => {
    const folder = 'server/src/connectors/new'
    const file = (name: string, lines: number) => ({
      path: `${folder}/${name}.ts`,
      text: '//\n'.repeat(lines),
    })
    const files = [file('a', 300), file('b', 300), file('d', 300), file('e', 100), file('b.test', 300)]
    expect(checkConnectorLengths(repositoryOf(files))).toEqual([])
    expect(checkConnectorLengths(repositoryOf([...files, file('c', 1)]))).toEqual([
      'connectors/new has 1001 lines; it has at most 1000',
    ])
  })

  it('generated code may be long', () => {
    expect(checkFileLengths(holding('server/src/kernel/db/generated/schema.ts', '//\n'.repeat(301)))).toEqual(
      [],
    )
  })
})

describe('the name of a file', () => {
  it.each([
    'stack/src/readMe.ts',
    'stack/src/read_me.ts',
    'stack/src/ReadMe/main.ts',
    'stack/src/a.b.ts',
    'stack/src/a.timing.ts',
  ])('%s is refused', (path) => {
    expect(checkFileNames(holding(path))).toEqual([`${path}:1 is not in kebab-case; folders and files are`])
  })

  it.each([
    'stack/src/read-me.ts',
    'stack/src/read-me.test.ts',
    'stack/src/read-me.timing.test.ts',
    'server/src/lib/sha256.ts',
  ])('%s is accepted', (path) => {
    expect(checkFileNames(holding(path))).toEqual([])
  })
})

describe('the integrity of the lockfile', () => {
  const lock = (entry: object): Repository =>
    holding(
      'package-lock.json',
      JSON.stringify({ packages: { '': { version: '0.1.0' }, 'node_modules/pg': entry } }),
    )

  it.each([{ version: '1.0.0' }, { version: '1.0.0', integrity: '' }, { version: '1.0.0', optional: true }])(
    '%o is refused',
    (entry) => {
      expect(checkLockIntegrity(lock(entry))).toEqual([
        'package-lock.json:1 has no integrity hash for node_modules/pg; run npm run lock',
      ])
    },
  )

  it.each([
    { version: '1.0.0', integrity: 'sha512-abc' },
    { link: true, resolved: 'server' },
  ])('%o is accepted', (entry) => {
    expect(checkLockIntegrity(lock(entry))).toEqual([])
  })
})

describe('what no file says', () => {
  it.each(['TO' + 'DO', 'FIX' + 'ME'])('%s is refused wherever it is', (mark) => {
    expect(checkUnfinishedMarks(holding('docs/scale.md', `one\n${mark}: two\n`))).toEqual([
      'docs/scale.md:2 marks unfinished work; finish it or write an issue',
    ])
    expect(checkUnfinishedMarks(holding('docs/scale.md', `${mark}S`.toLowerCase()))).toEqual([])
  })

  it('an address in the lockfile is refused, a workspace link accepted', () => {
    expect(
      checkLockfile(holding('package-lock.json', '{\n"resolved": "https://example.test/a.tgz"')),
    ).toEqual(['package-lock.json:2 names where a package came from; .npmrc leaves that out, install again'])
    expect(checkLockfile(holding('package-lock.json', '"resolved": "server"'))).toEqual([])
  })

  it.each([
    ['registry', 'npmjs', 'org'],
    ['registry', 'yarnpkg', 'com'],
    ['registry', 'example', 'internal'],
    ['npm', 'pkg', 'github', 'com'],
    ['artifactory', 'example', 'test'],
  ])('the host %s.%s is refused', (...parts) => {
    expect(checkRegistryHosts(holding('.ci/run', `\nnpm ci --from https://${parts.join('.')}/`))).toEqual([
      '.ci/run:2 names a package registry; which one to use is up to each machine',
    ])
  })

  it('a setting of the registry is refused, and a variable of that name accepted', () => {
    expect(
      checkRegistryHosts(holding('.npmrc', ['registry', 'http://localhost:4873'].join('='))),
    ).toHaveLength(1)
    expect(checkRegistryHosts(holding('stack/src/dev/main.ts', 'registry.connectors.stripe = 1'))).toEqual([])
  })
})

describe('a lint exception', () => {
  const directive = 'oxlint-disable-next-line no-console'

  it('without a reason is refused, with one accepted', () => {
    expect(checkLintExceptions(holding('stack/src/dev/main.ts', `// ${directive}`))).toEqual([
      'stack/src/dev/main.ts:1 switches a lint rule off; add ` -- why` to it',
    ])
    expect(checkLintExceptions(holding('stack/src/dev/main.ts', `// ${directive} -- a tool speaks`))).toEqual(
      [],
    )
  })
})
