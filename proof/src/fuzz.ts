import { parseArgs } from 'node:util'
import { fuzz } from './fuzz/run.ts'
import { startWorld } from './fuzz/world.ts'

/** Requests of every kind against a whole server; ends with 1 when an answer breaks a promise. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
  })
  const [requests, seed] = [Number(values.requests), Number(values.seed)]
  if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed))
    throw new Error('--requests and --seed are whole numbers')
  const world = await startWorld()
  try {
    const report = await fuzz(world, { requests, seed, print: console.log })
    console.log(report.text())
    console.log(await world.audit())
    process.exitCode = report.findings.length === 0 ? 0 : 1
  } finally {
    await world.stop()
  }
}

if (import.meta.main) await main()
