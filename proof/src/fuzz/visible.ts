import type pg from 'pg'

/** Whether a row that this organisation may see (its own or the installation's) contains the text. */
export async function isVisibleTo(owner: pg.Pool, orgId: string, text: string): Promise<boolean> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'org_id'`,
  )
  for (const { name } of tables) {
    const { rowCount } = await owner.query(
      `select from ${name} where org_id in ($1, '00000000-0000-0000-0000-000000000000') and ${name}::text like '%' || $2 || '%' limit 1`,
      [orgId, text],
    )
    if (rowCount !== 0) return true
  }
  return false
}
