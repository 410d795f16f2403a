import { sql, type CompiledQuery } from 'kysely'
import { compileOnce } from '../../../../kernel/db/compile-once.ts'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import { beforePosition } from '../../../../kernel/db/keyset.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import type { ListEntry, MatchSource } from '../record.ts'
import type { MatchStatus, SanctionsMatch, ScreeningRecord, SubjectKind } from './record.ts'

const columns = [
  'org_id as orgId',
  'match_id as matchId',
  'subject_kind as subjectKind',
  'subject_id as subjectId',
  'person_key as personKey',
  'person_sealed as personSealed',
  'identifier_keys as identifierKeys',
  'source',
  'entry_id as entryId',
  'entry',
  'entry_fingerprint as entryFingerprint',
  'version_id as versionId',
  'score_permille as scorePermille',
  'status',
  'reason',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

type MatchRow = Omit<SanctionsMatch, 'subjectKind' | 'source' | 'status' | 'entry' | 'score'> &
  Record<'subjectKind' | 'source' | 'status', string> & { entry: unknown; scorePermille: number }

const toMatch = ({ scorePermille, ...row }: MatchRow): SanctionsMatch => ({
  ...row,
  score: scorePermille / 1000,
  subjectKind: row.subjectKind as SubjectKind, // check constraint
  source: row.source as MatchSource, // check constraint
  status: row.status as MatchStatus, // check constraint
  entry: row.entry as ListEntry, // written by upsertMatch from this type
})

/** A match that is known only moves: a cleared one is open again if the entry or the person has changed. */
export const upsertMatch = (
  orgId: string,
  match: Omit<SanctionsMatch, 'orgId' | 'reason' | 'decidedBy' | 'decidedAt' | 'updatedAt'>,
): CompiledQuery =>
  sql`
    insert into sanctions_matches
      (org_id, match_id, subject_kind, subject_id, person_key, person_sealed, identifier_keys, source, entry_id,
       entry, entry_fingerprint, version_id, score_permille, status, created_at, updated_at)
    values (${orgId}, ${match.matchId}, ${match.subjectKind}, ${match.subjectId}, ${match.personKey},
      ${match.personSealed}, ${match.identifierKeys}::bytea[], ${match.source}, ${match.entryId}, ${JSON.stringify(match.entry)}::jsonb,
      ${match.entryFingerprint}, ${match.versionId}, ${Math.round(match.score * 1000)}, ${match.status}, ${match.createdAt},
      ${match.createdAt})
    on conflict (org_id, subject_kind, subject_id, source, entry_id) do update set
      status = case when sanctions_matches.status = 'cleared' then excluded.status else sanctions_matches.status end,
      person_key = excluded.person_key, person_sealed = excluded.person_sealed,
      identifier_keys = array(select unnest(sanctions_matches.identifier_keys) union select unnest(excluded.identifier_keys)),
      entry = excluded.entry, entry_fingerprint = excluded.entry_fingerprint, version_id = excluded.version_id,
      score_permille = excluded.score_permille, updated_at = excluded.updated_at
    where sanctions_matches.entry_fingerprint <> excluded.entry_fingerprint
      or sanctions_matches.person_key <> excluded.person_key
      or not sanctions_matches.identifier_keys @> excluded.identifier_keys
    returning match_id`.compile(statements)

const insertRecordRow = compileOnce<ScreeningRecord & { orgId: string }>(({ orgId, ...record }) =>
  statements
    .insertInto('screening_records')
    .values({
      org_id: orgId,
      subject_id: record.subjectId,
      screening_id: record.screeningId,
      person_keys: record.personKeys,
      identifier_keys: record.identifierKeys,
      list_versions: record.listVersions,
      lists_published_at: record.listsPublishedAt,
      verdict: record.verdict,
    })
    .compile(),
)

export const insertRecord = (orgId: string, record: ScreeningRecord): CompiledQuery =>
  insertRecordRow({ orgId, ...record })

/** The newest record of the payment; undefined for one that was never screened. */
export const findRecord = (
  tx: Tx,
  orgId: string,
  subjectId: string,
): Promise<Pick<ScreeningRecord, 'listVersions' | 'identifierKeys'> | undefined> =>
  tx.db
    .selectFrom('screening_records')
    .select(['list_versions as listVersions', 'identifier_keys as identifierKeys'])
    .where('org_id', '=', orgId)
    .where('subject_id', '=', subjectId)
    .orderBy('screening_id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** What was decided about these people, wherever they occur in the organisation. */
export async function selectDecisions(
  tx: Tx,
  orgId: string,
  personKeys: readonly Buffer[],
): Promise<Pick<SanctionsMatch, 'personKey' | 'source' | 'entryId' | 'entryFingerprint' | 'status'>[]> {
  const rows = await tx.db
    .selectFrom('sanctions_matches')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('person_key', '=', sql<Buffer>`any(${[...personKeys]}::bytea[])`)
    .where('status', '<>', 'open')
    .execute()
  return rows.map(toMatch)
}

export async function findMatch(
  tx: Tx,
  orgId: string | undefined,
  matchId: string,
): Promise<SanctionsMatch | undefined> {
  let query = tx.db.selectFrom('sanctions_matches').select(columns).where('match_id', '=', matchId)
  if (orgId !== undefined) query = query.where('org_id', '=', orgId)
  const row = await query.executeTakeFirst()
  return row && toMatch(row)
}

/** A decision is about the person and the entry, so it settles all of their matches. */
export async function updateDecided(
  tx: Tx,
  orgId: string,
  {
    match,
    ...decision
  }: {
    match: SanctionsMatch
    status: 'cleared' | 'confirmed'
    reason: string
    by: string
    at: Date
  },
): Promise<void> {
  await tx.db
    .updateTable('sanctions_matches')
    .set({
      status: decision.status,
      reason: decision.reason,
      decided_by: decision.by,
      decided_at: decision.at,
      updated_at: decision.at,
    })
    .where('org_id', '=', orgId)
    .where('person_key', '=', match.personKey)
    .where('source', '=', match.source)
    .where('entry_id', '=', match.entryId)
    .execute()
}

export interface MatchFilters {
  status: MatchStatus | undefined
  subjectKind: SubjectKind | undefined
  /** One beneficiary, or the payment of one payer. */
  subjectId: string | undefined
  /** Undefined for every organisation, which only the operator reads. */
  orgId: string | undefined
  /** People behind an organisation are shown to the operator alone. */
  withKyb: boolean
}

export async function selectMatchesAcrossOrgs(
  tx: Tx,
  page: MatchFilters & { limit: number; before: Position | undefined },
): Promise<SanctionsMatch[]> {
  let query = tx.db.selectFrom('sanctions_matches').select(columns)
  if (page.orgId !== undefined) query = query.where('org_id', '=', page.orgId)
  if (page.status !== undefined) query = query.where('status', '=', page.status)
  if (page.subjectKind !== undefined) query = query.where('subject_kind', '=', page.subjectKind)
  if (page.subjectId !== undefined) query = query.where('subject_id', '=', page.subjectId)
  if (!page.withKyb) query = query.where('subject_kind', '<>', 'kyb')
  if (page.before) query = query.where(beforePosition('created_at', 'match_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('match_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toMatch)
}

/** A match that holds the payment, by the same rule as `assert_screened`. */
export async function findHoldingMatch(
  tx: Tx,
  orgId: string,
  { paymentId, beneficiaryId, leaves }: { paymentId: string; beneficiaryId: string | null; leaves: boolean },
): Promise<{ status: string } | undefined> {
  const { rows } = await sql<{ status: string }>`
    select status from sanctions_matches
    where org_id = ${orgId} and status <> 'cleared'
      and (subject_id = ${paymentId} or subject_id = ${beneficiaryId} or (${leaves} and subject_kind = 'kyb'))
    limit 1`.execute(tx.db)
  return rows[0]
}

export async function isAnyBlocked(
  tx: Tx,
  orgId: string,
  identifierKeys: readonly Buffer[],
): Promise<boolean> {
  const { rows } = await sql<{ isBlocked: boolean }>`
    select is_blocked(${orgId}, ${[...identifierKeys]}::bytea[]) as "isBlocked"`.execute(tx.db)
  return rows[0]?.isBlocked === true
}

export async function findBlockedRecord(
  tx: Tx,
  orgId: string,
  subjectId: string,
): Promise<{ screeningId: string } | undefined> {
  const { rows } = await sql<{ screeningId: string }>`
    select screening_id as "screeningId" from screening_records
    where org_id = ${orgId} and subject_id = ${subjectId} and is_blocked(org_id, identifier_keys) limit 1`.execute(
    tx.db,
  )
  return rows[0]
}

export async function selectRetained(
  tx: Tx,
  orgId: string,
  { subjectIds, days }: { subjectIds: readonly string[]; days: number },
): Promise<string[]> {
  const { rows } = await sql<{ subjectId: string }>`
    select distinct subject_id as "subjectId" from sanctions_matches
    where org_id = ${orgId} and subject_id = any(${[...subjectIds]}::uuid[])
      and (status = 'open' or (status = 'confirmed' and decided_at > money_clock() - make_interval(days => ${days})))`.execute(
    tx.db,
  )
  return rows.map(({ subjectId }) => subjectId)
}

export async function clearPeople(tx: Tx, orgId: string, subjectIds: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('sanctions_matches')
    .set({ person_sealed: Buffer.alloc(0) })
    .where('org_id', '=', orgId)
    .where('subject_id', '=', sql<string>`any(${[...subjectIds]}::uuid[])`)
    .execute()
}
