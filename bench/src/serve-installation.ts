import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { MeasuredInstallation } from './installation.ts'

const described = z.object({
  apiUrl: z.string(),
  apiKey: z.string(),
  apiKeys: z.array(z.string()),
  ownerUrl: z.string(),
  postgres: z.object({ pid: z.number() }),
  apiPid: z.number(),
  simulatorPid: z.number(),
  directory: z.string(),
})

export interface ServedInstallation extends MeasuredInstallation {
  stop(): Promise<void>
}

/** Runs in a process of its own: starts the installation of the checkout that it is given, until its input ends. */
const program = `
const { pathToFileURL } = await import('node:url')
const { startBenchInstallation } = await import(pathToFileURL(process.argv[1]).href)
const installation = await startBenchInstallation()
const { apiUrl, apiKey, apiKeys, ownerUrl, postgres, apiPid, simulatorPid, directory } = installation
const shown = { apiUrl, apiKey, apiKeys, ownerUrl, postgres: { pid: postgres.pid }, apiPid, simulatorPid, directory }
console.log(JSON.stringify(shown))
process.stdin.resume()
process.stdin.on('end', async () => {
  await installation.stop()
  process.exit(0)
})
`

/** Starts the installation of a checkout with the programs, the migrations and the seeds that it has itself. */
export async function serveInstallation(checkout: string): Promise<ServedInstallation> {
  const file = join(checkout, 'bench/src/installation.ts')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, file], {
    cwd: checkout,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'close')
  const lines = createInterface({ input: child.stdout })
  const stop = async (): Promise<void> => {
    child.stdin.end()
    await exited
  }
  for await (const line of lines) {
    if (!line.startsWith('{')) continue
    return { ...described.parse(JSON.parse(line)), stop }
  }
  throw new Error(`the installation of ${checkout} did not start`)
}
