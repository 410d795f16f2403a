import { subscribe } from 'node:diagnostics_channel'
import type { HttpClient } from '../../../src/connectors/kit/http-client.ts'
import type { Database } from '../../../src/kernel/db/database.ts'
import { movesMoney } from './money-calls.ts'
import type { CrashPoint } from './points.ts'

/** Called at each point of the payment path. */
export type Pass = (point: CrashPoint) => void

const firstCommit = /^insert into "payments"/
const secondCommit = /"payments" set/

/** Reports the commits of the payment path, which are recognised by the tables they write. */
export const watchCommits = (db: Database, pass: Pass): Database => ({
  ...db,
  async batchInOrg(orgId, batch) {
    const isFirst = batch.some(({ sql }) => firstCommit.test(sql))
    const isSecond = batch.some(({ sql }) => secondCommit.test(sql))
    if (isFirst) pass('before_first_commit')
    if (isSecond) pass('before_second_commit')
    const results = await db.batchInOrg(orgId, batch)
    if (isFirst) pass('after_first_commit')
    if (isSecond) pass('after_second_commit')
    return results
  },
})

export function watchCalls(http: HttpClient, pass: Pass): HttpClient {
  // undici publishes this when the last byte of a request has left the process.
  subscribe('undici:request:bodySent', (message) => {
    const { origin, path, method } = (message as { request: Record<string, string> }).request // the shape of undici's message
    if (method === 'POST' && movesMoney({ method, url: `${origin}${path}` })) pass('during_the_call')
  })
  return async (call) => {
    const result = await http(call)
    if (movesMoney(call)) pass('after_the_answer')
    return result
  }
}
