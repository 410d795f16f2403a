import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  createAgent,
  createHttpClient,
  type HttpClient,
} from '@switchyard/server/connectors/kit/http-client.ts'
import type { ConnectorSource } from '@switchyard/server/domains/providers/accounts/load-connector.ts'

const env = z
  .object({
    PROVIDER_TIMEOUT_MS: z.coerce.number(),
    SEND_DEADLINE_MS: z.coerce.number(),
    NOT_FOUND_FINAL_AFTER_MS: z.coerce.number(),
    DOUBT_AFTER_MS: z.coerce.number(),
    /** A file with the name of the next crash point; it is read on SIGUSR2. */
    CRASH_POINT_FILE: z.string(),
  })
  .parse(process.env)

const second = 1_000
const minute = 60 * second
const every = (ms: number, duringMs: number): number[] => Array.from({ length: duringMs / ms }, () => ms)
/** Later polls are rare: thousands of unresolved payments polled every few seconds would use up the machine. */
const rarely = [...every(10 * second, 2 * minute), ...every(minute, 1_000 * minute)]

/** Seconds where production has minutes. */
export const patience = {
  sendDeadlineMs: env.SEND_DEADLINE_MS,
  pollSchedule: {
    unknownMs: [second, ...every(3 * second, minute), ...rarely],
    acceptedMs: [4 * second, ...rarely],
    refundFirstMs: 4 * second,
    refundMs: [...every(5 * second, minute), ...rarely],
    unknownLimitMs: env.DOUBT_AFTER_MS,
    acceptedLimitMs: 24 * 60 * minute,
    refundLimitMs: 24 * 60 * minute,
    doubtMs: 30 * second,
    repeatMs: [5 * second, 10 * second],
    suspendedMs: 2 * second,
  },
}

export function hurriedHttp(): HttpClient {
  const http = createHttpClient(createAgent())
  return (call) => http({ ...call, timeoutMs: env.PROVIDER_TIMEOUT_MS })
}

export const impatient = (source: ConnectorSource): ConnectorSource => ({
  ...source,
  async load(orgId, accountId) {
    const connector = await source.load(orgId, accountId)
    // A provider whose "not found" is never final is left unchanged.
    const isEverFinal = connector?.notFoundFinalAfterMs !== undefined
    return isEverFinal ? { ...connector, notFoundFinalAfterMs: env.NOT_FOUND_FINAL_AFTER_MS } : connector
  },
})

/** Kills this process with -9 the next time it reaches the point that the file names. */
export function armedByFile(): (point: string) => void {
  let armed: string | undefined
  process.on('SIGUSR2', () => {
    armed = readFileSync(env.CRASH_POINT_FILE, 'utf8').trim()
  })
  return (point) => {
    if (point === armed) process.kill(process.pid, 'SIGKILL')
  }
}
