import { readFileSync } from 'node:fs'
import type { Request } from './request.ts'

/** More processor time for one request is a finding: it would delay every other caller. */
export const cpuLimitMs = 1_000
const ticksPerSecond = 100
const suspectsLimit = 300

/** Reads the processor time that a process has used, on Linux; 0 elsewhere. */
export function cpuMsOfProcess(pid: number): number {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the name in parentheses, which may contain spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
}

type Suspect = { readonly request: Request; readonly describe: string }
type Verdict = Suspect & { readonly cpuMs: number }

export type CpuWatch = {
  /** Sends a request and remembers it when the process used more than the limit while the request was open. */
  around<Result>(request: Request, describe: string, send: () => Promise<Result>): Promise<Result>
  /** Sends every suspect once more, alone, and returns those that took more than the limit by themselves. */
  convict(send: (request: Request) => Promise<unknown>): Promise<Verdict[]>
  /** One line: processor time per request and per byte. */
  line(): string
}

/**
 * Requests are concurrent, so the time that passes during one includes the work for others. The limit is therefore
 * applied in two steps: suspects are collected during the run and measured alone afterwards.
 */
export function createCpuWatch(readCpuMs: () => number): CpuWatch {
  const suspects: Suspect[] = []
  const startedMs = readCpuMs()
  let requests = 0
  let bytes = 0
  let worstAloneMs = 0
  return {
    async around(request, describe, send) {
      const before = readCpuMs()
      requests += 1
      bytes += sizeOf(request)
      const result = await send()
      if (readCpuMs() - before > cpuLimitMs && suspects.length < suspectsLimit)
        suspects.push({ request, describe })
      return result
    },
    async convict(send) {
      const verdicts: Verdict[] = []
      for (const suspect of suspects) {
        const before = readCpuMs()
        await send(suspect.request)
        const cpuMs = readCpuMs() - before
        worstAloneMs = Math.max(worstAloneMs, cpuMs)
        if (cpuMs > cpuLimitMs) verdicts.push({ ...suspect, cpuMs })
      }
      return verdicts
    },
    line() {
      const totalMs = readCpuMs() - startedMs
      const perRequest = totalMs / Math.max(requests, 1)
      const perByte = (totalMs * 1_000) / Math.max(bytes, 1)
      return `processor time of the api: ${perRequest.toFixed(1)} ms per request, ${perByte.toFixed(2)} µs per byte; ${suspects.length} requests were measured alone, the slowest took ${worstAloneMs} ms`
    },
  }
}

const sizeOf = ({ path, headers, body = '' }: Request): number =>
  path.length + headers.flat().join('').length + Buffer.byteLength(body)
