import { relative } from 'node:path'
import type { Env } from '../programs.ts'
import { devFilePath, type DevFile } from './connection-file.ts'
import { helpText, parseOptions, type DevOptions } from './options.ts'
import { noAnvil } from '../services/anvil.ts'
import { buildDashboard } from '@switchyard/dashboard/build/build-dashboard.ts'
import { programFiles } from './program-files.ts'
import { startDev, type DevRun } from './start-dev.ts'

// Under npm, one Ctrl-C arrives twice: from the terminal and from npm. Only a later signal is a second Ctrl-C.
const sameInterruptMs = 1_000
const parentCheckMs = 200

await main().catch((error: unknown) => {
  console.error(`dev: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  if (options.help) return console.log(helpText)
  const starting = new AbortController()
  const current: { run?: DevRun } = {}
  onInterrupt(starting, current)
  onParentDeath(starting)

  console.log(
    'Starting PostgreSQL, Restate, identity provider, mail catcher, chain, simulator, api and worker…',
  )
  // The seed loads the whole server, so it is imported only when needed, while api and worker start.
  const seed = async (env: Env) => (await import('../seeds/seed.ts')).seed(env)
  const [run] = await Promise.all([
    startDev({ ...options, programs: programFiles, seed, signal: starting.signal }),
    buildDashboard().catch((error: unknown) => console.error('The dashboard could not be built:', error)),
  ])
  current.run = run
  console.log(welcome(run.file, options))
  const reason = await Promise.race([run.broken, aborted(starting.signal)])
  console.log(reason)
  await run.stop()
  process.exit(starting.signal.aborted ? 0 : 1)
}

function onInterrupt(starting: AbortController, current: { run?: DevRun }): void {
  let firstAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        starting.abort(new Error('stopped while starting'))
      } else if (performance.now() - firstAt > sameInterruptMs) {
        current.run?.killNow()
        process.exit(1)
      }
    })
  }
}

/** A SIGTERM to npm may end only npm and its shell, so this process stops when its parent has exited. */
function onParentDeath(starting: AbortController): void {
  const parentPid = process.ppid
  if (process.env['npm_lifecycle_event'] === undefined) return
  const timer = setInterval(() => {
    if (process.ppid !== parentPid) starting.abort(new Error('the parent process exited'))
  }, parentCheckMs)
  timer.unref()
}

async function aborted(signal: AbortSignal): Promise<string> {
  await new Promise((resolve) =>
    signal.aborted ? resolve(undefined) : signal.addEventListener('abort', resolve),
  )
  return '\nStopping…'
}

function welcome(file: DevFile, { dataDir }: DevOptions): string {
  const org = file.orgs[0]
  const member = org?.members[0]
  const addresses = [
    ['Dashboard', file.dashboard],
    ['API', file.api],
    ['Reference', file.docs],
    ['Pay page', file.payment_link ?? ''],
    ['Providers', `${file.simulator} (simulated)`],
    ['Chain', file.chain?.rpc ?? `none, so no wallet of our own: ${noAnvil}`],
    ['Caught mail', file.mail],
    ['Engine', file.restate.admin],
    ['Identity', file.identity],
    ['PostgreSQL', file.database],
    ['Everything', relative(process.cwd(), devFilePath(dataDir))],
  ]
  const lines = [
    '',
    `Switchyard is ready after ${(performance.now() / 1_000).toFixed(1)} s. Ctrl-C stops it and keeps its data.`,
    '',
    ...addresses.map(([name = '', address]) => `  ${name.padEnd(12)} ${address}`),
  ]
  if (org && member) {
    lines.push('', `  API key of ${member.email} (${member.role} of ${org.name}):`, `  ${member.api_key}`)
    lines.push('', 'A first call:', '', `  curl ${file.api}/organizations/${org.org_id} \\`)
    lines.push(`    -H 'Authorization: NONE' \\`, `    -H 'X-Api-Key: ${member.api_key}'`, '')
    lines.push('The same with the command line:', '', '  npx switchyard organizations get', '')
  }
  return lines.join('\n')
}
