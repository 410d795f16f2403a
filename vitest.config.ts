import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const serverSetup = 'server/src/testing/global-setup.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    reporters: ['default'],
    exclude: ['**/node_modules/**'],
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: existsSync(join(import.meta.dirname, serverSetup)) ? [serverSetup] : [],
        },
      },
      { extends: true, test: { name: 'simulator', include: ['simulator/**/*.test.ts'] } },
      { extends: true, test: { name: 'checkout', include: ['checkout/**/*.test.ts'] } },
      { extends: true, test: { name: 'sdk', include: ['sdk/**/*.test.ts'] } },
      { extends: true, test: { name: 'dev', include: ['dev/**/*.test.ts'] } },
    ],
  },
})
