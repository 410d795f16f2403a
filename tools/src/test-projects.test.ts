import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectOf, readTestFiles, testProjects } from './test-projects.ts'

describe('the project of a test file', () => {
  it.each([
    ['server/src/lib/ids.test.ts', "import { newId } from './ids.ts'", 'unit'],
    ['server/src/http/health.test.ts', "import { useApp } from '../../test/app/test-app.ts'", 'api'],
    ['server/src/kernel/db/migrate.test.ts', "inject('postgresUrl')", 'api'],
    ['server/test/app/use-started.test.ts', '', 'api'],
    ['server/test/browser/pay.test.ts', '', 'browser'],
    ['checkout/src/accessibility.test.ts', "import type { Page } from 'playwright-core'", 'browser'],
    ['server/src/kernel/ledger/balances.timing.test.ts', "inject('postgresUrl')", 'timing'],
    ['dashboard/src/ui/format.test.ts', '', 'dashboard'],
    ['proof/src/fuzz/run.test.ts', '', 'proof'],
  ])('%s', (path, text, project) => {
    expect(projectOf(path, text)).toBe(project)
  })
})

it('every project has files, and every file lies in one', () => {
  const files = readTestFiles(join(import.meta.dirname, '../..'))
  expect(files.get('tools/src/test-projects.test.ts')).toBe('unit')
  expect([...new Set(files.values())].toSorted()).toEqual([...testProjects].toSorted())
})
