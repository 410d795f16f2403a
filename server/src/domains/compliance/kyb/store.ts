import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { KybPerson } from './record.ts'

/** False if the same webhook was received before. */
export async function insertKybNews(
  tx: Tx,
  orgId: string,
  row: { dedupeKey: string; news: string; result: string },
): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('kyb_inbox')
    .values({ org_id: orgId, dedupe_key: row.dedupeKey, news: row.news, result: row.result })
    .onConflict((conflict) => conflict.doNothing())
    .returning('dedupe_key')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function upsertPerson(tx: Tx, orgId: string, person: KybPerson): Promise<void> {
  await tx.db
    .insertInto('kyb_persons')
    .values({ org_id: orgId, person_id: person.personId, details_sealed: person.detailsSealed })
    .onConflict((conflict) => conflict.columns(['org_id', 'person_id']).doUpdateSet({ named_at: sql`now()` }))
    .execute()
}

export async function selectOrgsWithOldPeopleAcrossOrgs(tx: Tx, before: Date): Promise<string[]> {
  const { rows } = await sql<{ orgId: string }>`
    select distinct org_id as "orgId" from kyb_persons where named_at < ${before}`.execute(tx.db)
  return rows.map(({ orgId }) => orgId)
}

export async function deletePeople(tx: Tx, orgId: string, before: Date): Promise<number> {
  const { rows } = await sql`
    delete from kyb_persons where org_id = ${orgId} and named_at < ${before} returning person_id`.execute(
    tx.db,
  )
  return rows.length
}

export async function selectEveryPersonAcrossOrgs(
  tx: Tx,
  { after, limit }: { after: { orgId: string; id: string } | undefined; limit: number },
): Promise<(KybPerson & { orgId: string })[]> {
  let query = tx.db
    .selectFrom('kyb_persons')
    .select(['org_id as orgId', 'person_id as personId', 'details_sealed as detailsSealed'])
  if (after)
    query = query.where(sql<boolean>`(org_id, person_id) > (${after.orgId}::uuid, ${after.id}::uuid)`)
  return query.orderBy('org_id').orderBy('person_id').limit(limit).execute()
}
