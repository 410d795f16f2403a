import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { PolicyDocument, PolicyVersion, PublishedPolicy, VersionState } from './record.ts'

const rows = (tx: Tx, orgId: string) =>
  tx.db.selectFrom('routing_policy_versions').selectAll().where('org_id', '=', orgId)

type VersionRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

const toVersion = (row: VersionRow): PolicyVersion => ({
  orgId: row.org_id,
  version: row.version,
  state: row.state as VersionState, // check constraint
  document: row.document as unknown as PolicyDocument, // written by insertVersion
  note: row.note,
  restores: row.restores,
  createdBy: row.created_by,
  createdAt: row.created_at,
  publishedBy: row.published_by,
  publishedAt: row.published_at,
})

/** Changes of one owner's policy wait for each other, so that version numbers and states are decided one by one. */
export async function lockVersions(tx: Tx, orgId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${orgId}::text || ' routing policy', 0))`.execute(
    tx.db,
  )
}

export async function insertVersion(
  tx: Tx,
  orgId: string,
  created: Pick<PolicyVersion, 'state' | 'document' | 'note' | 'restores' | 'createdBy'>,
): Promise<PolicyVersion> {
  const isPublished = created.state === 'published'
  const row = await tx.db
    .insertInto('routing_policy_versions')
    .values((eb) => ({
      org_id: orgId,
      version: eb
        .selectFrom('routing_policy_versions')
        .where('org_id', '=', orgId)
        .select(sql<number>`coalesce(max(version), 0) + 1`.as('next')),
      state: created.state,
      document: JSON.stringify(created.document),
      note: created.note,
      restores: created.restores,
      created_by: created.createdBy,
      published_by: isPublished ? created.createdBy : null,
      published_at: isPublished ? sql`now()` : null,
    }))
    .returningAll()
    .executeTakeFirstOrThrow()
  return toVersion(row)
}

export async function findVersion(
  tx: Tx,
  orgId: string,
  version: number,
): Promise<PolicyVersion | undefined> {
  const row = await rows(tx, orgId).where('version', '=', version).executeTakeFirst()
  return row && toVersion(row)
}

export async function findInState(
  tx: Tx,
  orgId: string,
  state: 'draft' | 'published',
): Promise<PolicyVersion | undefined> {
  const row = await rows(tx, orgId).where('state', '=', state).executeTakeFirst()
  return row && toVersion(row)
}

export async function selectVersions(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: number | undefined },
): Promise<PolicyVersion[]> {
  let query = rows(tx, orgId)
  if (page.before !== undefined) query = query.where('version', '<', page.before)
  const found = await query.orderBy('version', 'desc').limit(page.limit).execute()
  return found.map(toVersion)
}

/** A draft that was replaced is discarded; a published version that was replaced is superseded. */
export async function replaceState(
  tx: Tx,
  orgId: string,
  change: { from: 'draft'; to: 'discarded' } | { from: 'published'; to: 'superseded' },
): Promise<void> {
  await tx.db
    .updateTable('routing_policy_versions')
    .set({ state: change.to })
    .where('org_id', '=', orgId)
    .where('state', '=', change.from)
    .execute()
}

export async function markPublished(
  tx: Tx,
  orgId: string,
  { version, publishedBy }: { version: number; publishedBy: string },
): Promise<PolicyVersion> {
  const row = await tx.db
    .updateTable('routing_policy_versions')
    .set({ state: 'published', published_by: publishedBy, published_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toVersion(row)
}

/** The organisation's own policy, or else the installation's. */
export async function findApplicable(tx: Tx, orgId: string): Promise<PublishedPolicy | undefined> {
  const found = await tx.db
    .selectFrom('routing_policy_versions')
    .selectAll()
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('state', '=', 'published')
    .execute()
  const row = found.find(({ org_id }) => org_id === orgId) ?? found[0]
  return (
    row && {
      version: row.version,
      document: toVersion(row).document,
      owner: row.org_id === installationOrgId ? 'installation' : 'organization',
    }
  )
}
