import { join } from 'node:path'
import { freePort } from '../services/ports.ts'
import { startPostgres, type Postgres } from '../services/postgres.ts'
import { scratchDir } from './scratch-dir.ts'

/** A Postgres of a test's own. `stop` removes its data. */
export type ScratchPostgres = { readonly postgres: Postgres; stop(): Promise<void> }

export async function startScratchPostgres(settings: Record<string, string> = {}): Promise<ScratchPostgres> {
  const scratch = await scratchDir()
  const dataDir = join(scratch.path, 'postgres')
  const postgres = await startPostgres({ dataDir, port: await freePort(), fast: true, settings })
  return {
    postgres,
    async stop() {
      await postgres.stop()
      await scratch.remove()
    },
  }
}
