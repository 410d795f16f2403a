import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const eachMs = z.record(z.string(), z.number())

export const loadFigures = z.object({
  perSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  quantilesMs: z.array(z.number()),
  /** Processor time of each process, for each payment. */
  eachMs,
  /** The median of the disk's `fdatasync` during the same seconds. */
  fdatasyncMs: z.number(),
})

const initiateFigures = z.object({
  seconds: z.number(),
  connections: z.number(),
  steadyPerSecond: z.number(),
  rows: z.array(z.object({ organizations: z.number(), full: loadFigures, steady: loadFigures })),
  sql: z.object({ perSecond: z.number(), eachMs, fdatasyncMs: z.number() }),
  providerP50Ms: z.number(),
})
export type InitiateFigures = z.infer<typeof initiateFigures>

const ledgerFigures = z.object({
  seconds: z.number(),
  connections: z.number(),
  rows: z.array(
    z.object({
      name: z.string(),
      perCall: z.number(),
      perSecond: z.number(),
      p50Ms: z.number(),
      p99Ms: z.number(),
      eachMs,
      fdatasyncMs: z.number(),
    }),
  ),
})
export type LedgerFigures = z.infer<typeof ledgerFigures>

const latencyFigures = z.object({
  seconds: z.number(),
  perSecond: z.number(),
  requests: z.number(),
  slowest: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  slowestFromMs: z.number(),
  fdatasyncMs: z.number(),
  fdatasyncP99Ms: z.number(),
  /** The mean time of each part, of all requests and of the slowest. */
  parts: z.array(z.object({ name: z.string(), allMs: z.number(), slowestMs: z.number() })),
  /** How many of the slowest met something, and how many of all. */
  coincidences: z.array(z.object({ name: z.string(), all: z.number(), slowest: z.number() })),
})
export type LatencyFigures = z.infer<typeof latencyFigures>

const machine = z.object({
  processor: z.string(),
  cores: z.number(),
  memoryGb: z.number(),
  kernel: z.string(),
})

const part = <Figures extends z.ZodType>(figures: Figures) =>
  z.object({ at: z.iso.date(), load: z.number(), stolen: z.number().optional(), machine, figures }).optional()

/** The last figures of each part, and where they are from. */
const results = z.object({
  initiate: part(initiateFigures),
  latency: part(latencyFigures),
  ledger: part(ledgerFigures),
})
export type Results = z.infer<typeof results>

export const resultsFile = join(import.meta.dirname, '../results.json')

export function readResults(file: string): Results {
  try {
    return results.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

export const writeResults = (file: string, written: Results): void =>
  writeFileSync(file, `${JSON.stringify(results.parse(written), roundNumbers, 2)}\n`)

const roundNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value

export function thisMachine(): z.infer<typeof machine> {
  const processors = cpus()
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
  }
}
