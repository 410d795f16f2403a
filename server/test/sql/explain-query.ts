import type pg from 'pg'

/** The plan of a query where reading the whole table is not an option. Its tables may have few rows. */
export async function explainQuery(owner: pg.Pool, query: string, values: unknown[] = []): Promise<string> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    await client.query('set local enable_sort = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${query}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}
