import { seedExamples } from '@switchyard/stack/seeds/seed.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'

/** What an api and a worker need, with example data: the development stack, on this machine. */
export const startDependencies = (publicUrl: string) =>
  startInstallation({
    postgres: { fast: true },
    hasIdentity: true,
    hasMailbox: true,
    simulator: { runsAs: 'in-process' },
    env: { PUBLIC_URL: publicUrl, LOG_LEVEL: 'info' },
    seed: (deps, simulatorUrl) => seedExamples(deps, simulatorUrl),
  })
