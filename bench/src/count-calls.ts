import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { marks } from './run-measurement.ts'
import { quantile } from './statistics.ts'

/** What a measuring program reports about the calls that it made after warming up. */
export const countedCalls = z.object({
  completed: z.number(),
  perSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  /** Processor time of the program. */
  cpuMs: z.number(),
})
type CountedCalls = z.infer<typeof countedCalls>

/** Makes the call from several workers at once, and says by its marks when it counts. */
export async function countCalls(
  call: () => Promise<unknown>,
  { workers, warmUpSeconds, seconds }: { workers: number; warmUpSeconds: number; seconds: number },
): Promise<CountedCalls> {
  const countFrom = performance.now() + warmUpSeconds * 1_000
  const endAt = countFrom + seconds * 1_000
  const durationsMs: number[] = []
  const work = async (): Promise<void> => {
    while (performance.now() < endAt) {
      const startedAt = performance.now()
      await call()
      const now = performance.now()
      if (now >= countFrom && now <= endAt) durationsMs.push(now - startedAt)
    }
  }
  const timing = countedTime(countFrom, endAt)
  await Promise.all(Array.from({ length: workers }, work))
  const { user, system } = await timing
  durationsMs.sort((a, b) => a - b)
  return {
    completed: durationsMs.length,
    perSecond: durationsMs.length / seconds,
    p50Ms: quantile(durationsMs, 0.5),
    p99Ms: quantile(durationsMs, 0.99),
    cpuMs: (user + system) / 1_000,
  }
}

/** Prints the marks when their time has come, and returns the processor time of this process between them. */
export async function countedTime(countFrom: number, endAt: number): Promise<NodeJS.CpuUsage> {
  await delay(countFrom - performance.now())
  const before = process.cpuUsage()
  console.log(marks.counting)
  await delay(endAt - performance.now())
  const spent = process.cpuUsage(before)
  console.log(marks.counted)
  return spent
}
