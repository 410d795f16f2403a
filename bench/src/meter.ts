import { startDiskProbe, type DiskProbe, type DiskSample } from './disk-probe.ts'
import { processorTimeMs } from './processor-time.ts'
import type { Watch } from './run-measurement.ts'

/** What the processes and the disk did while a measurement counted, without its warm-up. */
interface Metered {
  /** Processor time of each process. */
  spentMs: Record<string, number>
  fdatasyncMs: number
  fdatasyncP99Ms: number
  diskSamples: readonly DiskSample[]
}

interface Meter extends Watch {
  read(): Metered
}

/** Meters the processes and the disk of the directory between the marks of a measurement. */
export function createMeter(directory: string, pids: Readonly<Record<string, number>>): Meter {
  const times = (): number[] => Object.values(pids).map(processorTimeMs)
  let before: number[] = []
  let after: number[] = []
  let probe: DiskProbe | undefined
  let disk: ReturnType<DiskProbe['stop']> | undefined
  return {
    counting() {
      probe = startDiskProbe(directory)
      before = times()
    },
    counted() {
      after = times()
      disk = probe?.stop()
    },
    read() {
      if (!disk) throw new Error('the measurement did not say when it counted')
      const spent = Object.keys(pids).map((name, index) => [name, (after[index] ?? 0) - (before[index] ?? 0)])
      return {
        spentMs: Object.fromEntries(spent) as Record<string, number>, // made of names and numbers above
        fdatasyncMs: disk.medianMs,
        fdatasyncP99Ms: disk.p99Ms,
        diskSamples: disk.samples,
      }
    },
  }
}
