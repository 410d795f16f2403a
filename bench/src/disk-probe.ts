import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median, quantile } from './statistics.ts'

/** Like a segment of the WAL, the file has its full size from the start, so that only data has to reach the disk. */
const fileBytes = 4 * 1024 * 1024
const blockBytes = 8_192
const intervalMs = 50

export interface DiskSample {
  /** When the call began, in milliseconds since 1970. */
  atMs: number
  tookMs: number
}

export interface DiskProbe {
  stop(): { medianMs: number; p99Ms: number; samples: DiskSample[] }
}

/**
 * Times `fdatasync` again and again on the disk of this directory. A commit waits for such a call, and its duration
 * changes from minute to minute, so a latency means something only beside it.
 */
export function startDiskProbe(directory: string): DiskProbe {
  const path = join(directory, `disk-probe-${process.pid}`)
  const file = openSync(path, 'w', 0o600)
  writeSync(file, Buffer.alloc(fileBytes))
  fdatasyncSync(file)
  const block = Buffer.alloc(blockBytes, 1)
  const samples: DiskSample[] = []
  let offset = 0
  const timer = setInterval(() => {
    writeSync(file, block, 0, blockBytes, offset)
    offset = (offset + blockBytes) % fileBytes
    const startedAt = performance.now()
    fdatasyncSync(file)
    samples.push({ atMs: performance.timeOrigin + startedAt, tookMs: performance.now() - startedAt })
  }, intervalMs)
  return {
    stop() {
      clearInterval(timer)
      closeSync(file)
      rmSync(path)
      const took = samples.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
      return { medianMs: median(took), p99Ms: quantile(took, 0.99), samples }
    },
  }
}
