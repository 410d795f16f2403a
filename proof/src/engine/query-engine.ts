import { z } from 'zod'
import type { EngineNode } from '@switchyard/stack/services/restate-cluster.ts'

/** Returns undefined while the engine cannot answer, for instance right after it has started. */
export async function countOpenJobs(restate: EngineNode, condition = 'true'): Promise<number | undefined> {
  const where = `target_service_name = 'Notifications' and status <> 'completed' and ${condition}`
  return (await queryEngine(restate, `select id from sys_invocation where ${where}`))?.length
}

const engineTables = ['sys_invocation', 'sys_journal', 'sys_journal_events']

/** Uses the engine's SQL interface: its files are compressed, so searching them would prove nothing. */
export async function readEngineText(restate: EngineNode): Promise<string> {
  const tables = await Promise.all(
    engineTables.map((table) => queryEngine(restate, `select * from ${table}`)),
  )
  const rows = tables.flatMap((table) => table ?? [])
  const raw = rows.map(({ raw: hex }) =>
    typeof hex === 'string' ? Buffer.from(hex, 'hex').toString('latin1') : '',
  )
  return [JSON.stringify(rows), ...raw].join('\n')
}

const queryAnswer = z.object({ rows: z.array(z.record(z.string(), z.unknown())) })

async function queryEngine(
  { adminUrl }: EngineNode,
  query: string,
): Promise<Record<string, unknown>[] | undefined> {
  const response = await fetch(`${adminUrl}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  })
  const answer: unknown = await response.json()
  return response.ok ? queryAnswer.parse(answer).rows : undefined
}
