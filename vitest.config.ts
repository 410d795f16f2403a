import { defineConfig } from 'vitest/config'
import { readTestFiles, testProjects, type TestProject } from './tools/src/test-projects.ts'

const files = [...readTestFiles(import.meta.dirname)]
const filesOf = (project: TestProject): string[] =>
  files.filter(([, one]) => one === project).map(([path]) => path)

const setupFiles: Partial<Record<TestProject, string[]>> = {
  dashboard: ['dashboard/src/testing/use-english.ts'],
}
const globalSetup = ['server/test/app/global-setup.ts']
const needsServers: readonly TestProject[] = ['api', 'browser', 'timing']

export default defineConfig({
  test: {
    pool: 'forks',
    // The files of a worker share its modules: importing them for each file takes longer than the tests.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    reporters: ['default'],
    // A failing comparison shows all of what was found.
    chaiConfig: { truncateThreshold: 0 },
    exclude: ['**/node_modules/**'],
    projects: testProjects.map((name) => ({
      extends: true,
      test: {
        name,
        include: filesOf(name),
        setupFiles: setupFiles[name] ?? [],
        globalSetup: needsServers.includes(name) ? globalSetup : [],
      },
    })),
  },
})
