import { join } from 'node:path'
import { expect, it } from 'vitest'
import { licencesPage, readLock, shippedWith } from './licences.ts'

/** Licences under which a package may be shipped with ours: each asks for its notice and for nothing else of ours. */
const acceptedLicences = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'MIT OR Apache-2.0',
  'MIT or MPL-2.0',
  '(MIT OR CC0-1.0)',
])

const packages = readLock(join(import.meta.dirname, '../../..'))

it('ships no package under a licence that nobody has decided on', () => {
  const shipped = shippedWith(packages, ['server', 'dashboard', 'cli', 'sdk'])
  expect(shipped.length).toBeGreaterThan(50)
  expect(shipped.filter(({ licence }) => !acceptedLicences.has(licence))).toEqual([])
})

it('follows a package to its own copy of a dependency, and leaves out what nothing needs', () => {
  const lock = {
    server: { dependencies: { a: '1', ours: '1' } },
    'node_modules/ours': { link: true, resolved: 'ours' },
    ours: { dependencies: { c: '1' } },
    'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC', dependencies: { c: '1' } },
    'node_modules/b': { version: '1.0.0', license: 'GPL-3.0' },
    'node_modules/c': { version: '1.0.0', license: 'MIT' },
    'node_modules/test-only': { version: '1.0.0', license: 'BSL' },
  }
  expect(shippedWith(lock, ['server']).map(({ name, version }) => `${name} ${version}`)).toEqual([
    'a 1.0.0',
    'b 2.0.0',
    'c 1.0.0',
  ])
  expect(licencesPage(lock)).toContain('| b | 2.0.0 | ISC |')
})
