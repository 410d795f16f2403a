import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { startBenchInstallation } from './installation.ts'
import { measureInitiate } from './initiate.ts'
import { measureLatency } from './latency.ts'
import { measureLedger } from './ledger.ts'
import { drawResults } from './plot.ts'
import { stolenShareSince, stolenTime } from './processor-time.ts'
import { renderPage } from './render-page.ts'
import { readResults, resultsFile, thisMachine, writeResults, type Results } from './results.ts'

export const parts = ['initiate', 'latency', 'ledger'] as const
export type Part = (typeof parts)[number]

interface ReportOptions {
  parts: readonly Part[]
  seconds: number
  connections: number
  organizations: readonly number[]
  print: (line: string) => void
}

/** A p99 needs many payments. */
const latencyFactor = 6

const docsDir = join(import.meta.dirname, '../../docs')
const pageFile = join(docsDir, 'performance.md')
const pictureFile = join(docsDir, 'performance.svg')

/** Measures the parts one after the other, keeps their figures and writes them into the page. */
export async function benchReport(options: ReportOptions): Promise<void> {
  for (const part of options.parts) {
    const before = {
      at: new Date().toISOString().slice(0, 10),
      load: loadavg()[0] ?? 0,
      machine: thisMachine(),
    }
    const timeBefore = stolenTime()
    const measured = await measurePart(part, options)
    const origin = { ...before, stolen: stolenShareSince(timeBefore) }
    writeResults(resultsFile, { ...readResults(resultsFile), ...withOrigin(measured, origin) })
  }
  renderReport(options.print)
}

type Origin = Omit<NonNullable<Results['ledger']>, 'figures'>
type Measured = { [Name in Part]?: NonNullable<Results[Name]>['figures'] }

async function measurePart(part: Part, options: ReportOptions): Promise<Measured> {
  if (part === 'latency')
    return { latency: await measureLatency({ ...options, seconds: options.seconds * latencyFactor }) }
  if (part === 'ledger')
    return { ledger: await measureLedger({ ...options, only: '', hasStatements: false }) }
  const installation = await startBenchInstallation({ organizations: Math.max(...options.organizations) })
  try {
    return { initiate: await measureInitiate(installation, options) }
  } finally {
    await installation.stop()
  }
}

const withOrigin = ({ initiate, latency, ledger }: Measured, origin: Origin): Results => ({
  ...(initiate && { initiate: { ...origin, figures: initiate } }),
  ...(latency && { latency: { ...origin, figures: latency } }),
  ...(ledger && { ledger: { ...origin, figures: ledger } }),
})

/** Writes the kept figures into the page and the picture, without measuring anything. */
export function renderReport(print: (line: string) => void): void {
  const results = readResults(resultsFile)
  writeFileSync(pageFile, renderPage(readFileSync(pageFile, 'utf8'), results))
  writeFileSync(pictureFile, drawResults(results))
  print('wrote docs/performance.md and docs/performance.svg')
}
