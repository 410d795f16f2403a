import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  createAgent,
  createHttpClient,
  type HttpClient,
} from '@switchyard/server/connectors/kit/http-client.ts'
import type { ConnectorSource } from '@switchyard/server/domains/provider-configs/load-connector.ts'

const env = z
  .object({
    PROVIDER_TIMEOUT_MS: z.coerce.number(),
    SEND_DEADLINE_MS: z.coerce.number(),
    NOT_FOUND_FINAL_AFTER_MS: z.coerce.number(),
    /** Holds the name of the point at which the process shall end, once SIGUSR2 has told it to look. */
    CRASH_POINT_FILE: z.string(),
  })
  .parse(process.env)

const second = 1_000
const minute = 60 * second
const every = (ms: number, duringMs: number): number[] => Array.from({ length: duringMs / ms }, () => ms)
/** What is not known by now is left to people: thousands of them, asked every few seconds, are all that a machine does. */
const rarely = [...every(10 * second, 2 * minute), ...every(minute, 1_000 * minute)]

/** Seconds where an installation has minutes: nobody waits an hour for a proof. */
export const patience = {
  sendDeadlineMs: env.SEND_DEADLINE_MS,
  pollSchedule: {
    unknownMs: [second, ...every(3 * second, minute), ...rarely],
    acceptedMs: [4 * second, ...rarely],
    refundFirstMs: 4 * second,
    refundMs: [...every(5 * second, minute), ...rarely],
  },
}

export function hurriedHttp(): HttpClient {
  const http = createHttpClient(createAgent())
  return (call) => http({ ...call, timeoutMs: env.PROVIDER_TIMEOUT_MS })
}

export const impatient = (source: ConnectorSource): ConnectorSource => ({
  ...source,
  async load(orgId, provider) {
    const connector = await source.load(orgId, provider)
    // Where "not found" is never final, haste does not make it so.
    const isEverFinal = connector?.notFoundFinalAfterMs !== undefined
    return isEverFinal ? { ...connector, notFoundFinalAfterMs: env.NOT_FOUND_FINAL_AFTER_MS } : connector
  },
})

/** Ends the process as kill -9 would, the next time that the point in the file is passed. */
export function armedByFile(): (point: string) => void {
  let armed: string | undefined
  process.on('SIGUSR2', () => {
    armed = readFileSync(env.CRASH_POINT_FILE, 'utf8').trim()
  })
  return (point) => {
    if (point === armed) process.kill(process.pid, 'SIGKILL')
  }
}
