import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DevPrograms } from '../start-dev.ts'

const reportEnv = (name: string) => `
import { writeFileSync } from 'node:fs'
writeFileSync(import.meta.dirname + '/${name}.json', JSON.stringify({ ...process.env, PID: process.pid }))
`

const serve = (hostVariable: string, portVariable: string) => `
import { createServer } from 'node:http'
createServer((request, response) => response.end(String(process.pid)))
  .listen(Number(process.env.${portVariable}), process.env.${hostVariable})
`

export const programsIn = (directory: string): DevPrograms => ({
  migrate: join(directory, 'migrate.ts'),
  api: join(directory, 'api.ts'),
  worker: join(directory, 'worker.ts'),
  simulator: join(directory, 'simulator.ts'),
})

const announce = `console.log(JSON.stringify({ event: 'listening' }))
`

export const fakeSimulator = reportEnv('simulator') + serve('SIMULATOR_HOST', 'SIMULATOR_PORT') + announce

export const fakeApi = reportEnv('api') + serve('API_HOST', 'API_PORT')

/** Stand-ins for the programs: each writes its environment to NAME.json and answers when it should. */
export async function writeFakePrograms(
  directory: string,
  changed: Record<string, string> = {},
): Promise<string> {
  await mkdir(directory, { recursive: true })
  const programs = {
    migrate: reportEnv('migrate'),
    api: fakeApi,
    worker: reportEnv('worker') + serve('METRICS_HOST', 'METRICS_PORT'),
    simulator: fakeSimulator,
    ...changed,
  }
  for (const [name, code] of Object.entries(programs)) await writeFile(join(directory, `${name}.ts`), code)
  return directory
}
