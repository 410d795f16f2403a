import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { explainRequests, type Observed } from './explain-requests.ts'
import { startBenchInstallation } from './installation.ts'
import type { LatencyFigures } from './results.ts'
import { runLoad } from './run-load.ts'
import { formatTable } from './table.ts'
import { apiTrace } from './trace-options.ts'
import { checkpointsIn, watchPostgres } from './watch-postgres.ts'

interface LatencyOptions {
  seconds: number
  connections: number
  print: (line: string) => void
}

const warmUpSeconds = 5
const perSecond = 100
/** Several checkpoints in a minute, where Postgres by itself makes one in five. */
const postgresSettings = { checkpoint_timeout: '30s' }

/** Traces payments at a steady rate, and says where the slowest of them spent their time. */
export async function benchLatency(options: LatencyOptions): Promise<void> {
  options.print(latencyText(await measureLatency(options)))
}

export async function measureLatency({
  seconds,
  connections,
  print,
}: LatencyOptions): Promise<LatencyFigures> {
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
  try {
    const traceFile = join(directory, 'trace.json')
    print(`tracing payments at ${perSecond}/s`)
    const observed = await observe(traceFile, { warmUpSeconds, seconds, connections })
    const trace = apiTrace.parse(JSON.parse(readFileSync(traceFile, 'utf8')))
    return { seconds, perSecond, ...explainRequests({ ...observed, trace }) }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function observe(
  traceFile: string,
  load: { warmUpSeconds: number; seconds: number; connections: number },
): Promise<Omit<Observed, 'trace'>> {
  const preload = pathToFileURL(join(import.meta.dirname, 'trace-api.ts'))
  preload.searchParams.set('file', traceFile)
  const installation = await startBenchInstallation({
    nodeFlags: ['--import', preload.href],
    postgresSettings,
  })
  try {
    const watch = await watchPostgres(installation.ownerUrl)
    const result = await runLoad(installation, { ...load, perSecond, isTraced: true })
    const { backends, vacuums } = await watch.stop()
    return { load: result, backends, vacuums, checkpoints: checkpointsIn(installation.postgres.logFile) }
  } finally {
    // The api writes its trace when it exits.
    await installation.stop()
  }
}

function latencyText(figures: LatencyFigures): string {
  const { requests, slowest, p50Ms, p99Ms, slowestFromMs, fdatasyncMs, fdatasyncP99Ms } = figures
  const share = (count: number, of: number): string => `${((100 * count) / of).toFixed(0)} %`
  return [
    `${requests} payments at ${figures.perSecond}/s: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ` +
      `the slowest ${slowest} from ${slowestFromMs.toFixed(1)} ms on; ` +
      `fdatasync p50 ${fdatasyncMs.toFixed(2)} ms, p99 ${fdatasyncP99Ms.toFixed(2)} ms`,
    formatTable([
      ['mean ms', 'all', 'slowest'],
      ...figures.parts.map(({ name, allMs, slowestMs }) => [name, allMs.toFixed(2), slowestMs.toFixed(2)]),
    ]),
    formatTable([
      ['met', 'all', 'slowest'],
      ...figures.coincidences.map(({ name, all, slowest: met }) => [
        name,
        share(all, requests),
        share(met, slowest),
      ]),
    ]),
  ].join('\n\n')
}
