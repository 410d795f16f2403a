import { sql } from 'kysely'
import type { WrappedKey } from '../../lib/crypto/key-service.ts'
import type { Tx } from './database.ts'

export interface WrappedDataKey extends WrappedKey {
  dataKeyId: string
  personKeysId: string | null
}

const columns = [
  'data_key_id as dataKeyId',
  'wrapped_key as wrapped',
  'wrapped_by as wrappedBy',
  'person_keys_id as personKeysId',
] as const

export const findNewestDataKey = (
  tx: Tx,
  orgId: string,
  withPeople: boolean,
): Promise<WrappedDataKey | undefined> =>
  tx.db
    .selectFrom('data_keys')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('person_keys_id', withPeople ? 'is not' : 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('data_key_id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const insertDataKey = (tx: Tx, orgId: string, key: WrappedDataKey): Promise<unknown> =>
  tx.db
    .insertInto('data_keys')
    .values({
      org_id: orgId,
      data_key_id: key.dataKeyId,
      wrapped_key: key.wrapped,
      wrapped_by: key.wrappedBy,
      person_keys_id: key.personKeysId,
    })
    .execute()

/** The oldest first. Two processes that sealed for the first time at once have made two. */
export async function selectPersonKeys(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ keysId: string }>`
    select person_keys_id as "keysId" from data_keys where org_id = ${orgId} and person_keys_id is not null
    group by person_keys_id order by min(created_at)`.execute(tx.db)
  return rows.map(({ keysId }) => keysId)
}

export const findDataKey = (tx: Tx, orgId: string, dataKeyId: string): Promise<WrappedDataKey | undefined> =>
  tx.db
    .selectFrom('data_keys')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('data_key_id', '=', dataKeyId)
    .executeTakeFirst()

/** Organisations with more than one data key, whose sealed values may still be under an older one. */
export async function selectRotatedOrgsAcrossOrgs(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<{ orgId: string }[]> {
  const { rows } = await sql<{ orgId: string }>`
    select org_id as "orgId" from data_keys
    ${after === undefined ? sql`` : sql`where org_id > ${after}`}
    group by org_id having count(*) > 1 order by org_id limit ${limit}`.execute(tx.db)
  return rows
}

export async function selectPersonKeysAcrossOrgs(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ keysId: string }>`
    select distinct person_keys_id as "keysId" from data_keys where person_keys_id is not null`.execute(tx.db)
  return rows.map(({ keysId }) => keysId)
}
