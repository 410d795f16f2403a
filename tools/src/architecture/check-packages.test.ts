import { describe, expect, it } from 'vitest'
import { checkDeclaredPackages, checkPackagePaths } from './check-packages.ts'
import { repositoryOf, type Repository } from './repository.ts'

function importing(path: string, ...specifiers: string[]): Repository {
  const text = specifiers.map((specifier) => `import { thing } from '${specifier}'\n`).join('')
  return repositoryOf([
    { path, text },
    { path: 'package.json', text: JSON.stringify({ devDependencies: { vitest: '1', typescript: '1' } }) },
    {
      path: 'server/package.json',
      text: JSON.stringify({
        dependencies: { pg: '1', '@restatedev/restate-sdk': '1', '@switchyard/checkout': '*' },
        devDependencies: { yaml: '1' },
      }),
    },
    { path: 'tools/package.json', text: JSON.stringify({ devDependencies: { oxfmt: '1' } }) },
  ])
}

describe('a path across packages', () => {
  it.each([
    ['stack/src/main.ts', '../../server/src/main/api.ts'],
    ['server/src/http/app.test.ts', '../../../stack/src/seed.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expect(checkPackagePaths(importing(path, 'node:fs', specifier))).toEqual([
      `${path}:2 imports ${specifier}; import another package as @switchyard/<package>/…`,
    ])
  })

  it('a path within the package and a package name are accepted', () => {
    expect(
      checkPackagePaths(
        importing('stack/src/dev/main.ts', './ports.ts', '@switchyard/server/main/api.ts', 'pg'),
      ),
    ).toEqual([])
  })
})

describe('a package that is not declared', () => {
  it.each(['kysely', '@fastify/swagger', '@switchyard/stack/seed.ts', 'pg-types/lib', 'yaml', 'vitest'])(
    'server may not import %s',
    (specifier) => {
      expect(checkDeclaredPackages(importing('server/src/kernel/db/pool.ts', specifier))).toEqual([
        `server/src/kernel/db/pool.ts:1 imports ${specifier}, which server/package.json does not declare`,
      ])
    },
  )

  it('a package that is not shipped declares its own packages all the same', () => {
    expect(checkDeclaredPackages(importing('tools/src/gen.ts', 'vitest'))).toEqual([
      'tools/src/gen.ts:1 imports vitest, which tools/package.json does not declare',
    ])
  })

  it.each([
    ['server/src/kernel/db/pool.ts', 'pg'],
    ['server/src/kernel/db/pool.ts', 'pg/lib/query.js'],
    ['server/src/kernel/db/pool.ts', '@restatedev/restate-sdk/fetch'],
    ['server/src/kernel/db/pool.ts', '@switchyard/checkout/html.ts'],
    ['server/src/kernel/db/pool.ts', 'node:fs'],
    ['server/src/kernel/db/pool.ts', './vault.ts'],
    ['server/src/kernel/db/pool.test.ts', 'vitest'],
    ['server/src/kernel/db/pool.test.ts', 'yaml'],
    ['server/test/database.ts', 'yaml'],
    ['tools/src/format-text.ts', 'oxfmt'],
  ])('%s may import %s', (path, specifier) => {
    expect(checkDeclaredPackages(importing(path, specifier))).toEqual([])
  })
})
