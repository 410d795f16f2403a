import pg from 'pg'
import type { RecordedStatement, Recording } from './recording.ts'

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }

/** A sequential scan is the best plan for smaller tables. */
const smallRows = 10_000

/** Returns the sequential scans of large tables in the plans of the recorded statements. */
export async function findSequentialScans(
  urls: Readonly<Record<string, string | undefined>>,
  recordings: readonly Recording[],
): Promise<string[]> {
  const found: string[] = []
  for (const { role, statements } of recordings.flatMap(({ groups }) => groups)) {
    const client = new pg.Client({ connectionString: urls[role] })
    await client.connect()
    try {
      await client.query('begin')
      for (const statement of statements) found.push(...(await scansIn(client, statement)))
    } finally {
      await client.end()
    }
  }
  return [...new Set(found)]
}

async function scansIn(client: pg.Client, { text, values }: RecordedStatement): Promise<string[]> {
  const bound = values.map((value) =>
    typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value,
  )
  // It sets the organisation for the other statements, so it has to be executed.
  if (text.includes('set_config')) await client.query(text, bound)
  if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) return []
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (format json) ${text}`,
    bound,
  )
  const scanned = nodesOf(rows[0]?.['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'] === 'Seq Scan')
  const large: string[] = []
  for (const { 'Relation Name': table = '' } of scanned) {
    const { rows: sizes } = await client.query<{ rows: number }>(
      'select reltuples::float8 as rows from pg_class where oid = $1::regclass',
      [table],
    )
    if ((sizes[0]?.rows ?? 0) > smallRows) large.push(`${table}: ${text}`)
  }
  return large
}

const nodesOf = (plan: Plan | undefined): Plan[] =>
  plan ? [plan, ...(plan.Plans ?? []).flatMap(nodesOf)] : []
