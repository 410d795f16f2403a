import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * - `unit` needs no server, `dashboard` neither, but loads the English texts first.
 * - `api` shares one Postgres and one Restate, `browser` also drives Chromium.
 * - `timing` asserts durations, so it runs by hand and at night, alone.
 * - `proof` starts whole installations and kills their processes.
 */
export const testProjects = ['unit', 'dashboard', 'api', 'browser', 'timing', 'proof'] as const
export type TestProject = (typeof testProjects)[number]

const packages = 'server,checkout,dashboard,simulator,sdk,cli,stack,proof,bench,tools,examples'
/** Helpers that start Postgres, Restate, the API or one of its processes. */
const startsServers = /from '[^']*\/test\/|\binject\(/

const drivesBrowser = /^import .* from 'playwright-core'/m

export function projectOf(path: string, text: string): TestProject {
  if (path.endsWith('.timing.test.ts')) return 'timing'
  if (path.startsWith('server/test/browser/') || drivesBrowser.test(text)) return 'browser'
  if (path.startsWith('proof/')) return 'proof'
  if (path.startsWith('dashboard/')) return 'dashboard'
  if (path.startsWith('server/test/')) return 'api'
  return path.startsWith('server/') && startsServers.test(text) ? 'api' : 'unit'
}

/** Every test file of the repository, by project. */
export function readTestFiles(root: string): ReadonlyMap<string, TestProject> {
  const paths = globSync(`{${packages}}/**/*.test.ts`, {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  })
  return new Map(paths.map((path) => [path, projectOf(path, readFileSync(join(root, path), 'utf8'))]))
}
