import { defineConfig } from 'vitest/config'

const packages = [
  'server',
  'checkout',
  'dashboard',
  'simulator',
  'sdk',
  'cli',
  'stack',
  'proof',
  'bench',
  'tools',
  'examples',
]

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
    exclude: ['**/node_modules/**'],
    projects: packages.map((name) => ({
      extends: true,
      test: {
        name,
        include: [`${name}/**/*.test.ts`],
        setupFiles: name === 'dashboard' ? ['dashboard/src/testing/use-english.ts'] : [],
        globalSetup: name === 'server' ? ['server/test/app/global-setup.ts'] : [],
      },
    })),
  },
})
