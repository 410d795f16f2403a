import { sql, type Kysely } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { DB } from '../../../../kernel/db/generated/schema.ts'
import { beforePosition } from '../../../../kernel/db/keyset.ts'
import {
  toFeatures,
  toMembership,
  type Membership,
  type Permission,
} from '../../../../lib/requests/access.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import type { Member, MembershipOfPerson, MembershipWithFeatures, NewMember } from './record.ts'

const columns = [
  'org_id as orgId',
  'user_id as userId',
  'email',
  'first_name as firstName',
  'last_name as lastName',
  'country',
  'role',
  'grants',
  'revocations',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

interface MemberRow extends Omit<Member, 'role' | 'grants' | 'revocations'> {
  role: string
  grants: string[]
  revocations: string[]
}

const toMember = (row: MemberRow): Member => ({ ...row, ...toMembership(row) })

export const findPlatformAdminAcrossOrgs = (tx: Tx): Promise<{ userId: string } | undefined> =>
  tx.db
    .selectFrom('members')
    .select('user_id as userId')
    .where('role', '=', 'platform-admin')
    .limit(1)
    .executeTakeFirst()

/** Undefined when the user id or the email is a member already. */
export async function insertMember(tx: Tx, orgId: string, member: NewMember): Promise<Member | undefined> {
  const row = await tx.db
    .insertInto('members')
    .values({
      org_id: orgId,
      user_id: member.userId,
      email: member.email,
      first_name: member.firstName,
      last_name: member.lastName,
      country: member.country,
      role: member.role,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row && toMember(row)
}

export async function findMember(tx: Tx, orgId: string, userId: string): Promise<Member | undefined> {
  const row = await tx.db
    .selectFrom('members')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && toMember(row)
}

export const findMemberByEmail = (
  tx: Tx,
  orgId: string,
  email: string,
): Promise<{ userId: string } | undefined> =>
  tx.db
    .selectFrom('members')
    .select('user_id as userId')
    .where('org_id', '=', orgId)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()

export async function selectMembers(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: Position | undefined },
): Promise<Member[]> {
  let query = tx.db.selectFrom('members').select(columns).where('org_id', '=', orgId)
  if (page.before) query = query.where(beforePosition('created_at', 'user_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('user_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toMember)
}

export async function selectNames(
  tx: Tx,
  orgId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.db
    .selectFrom('members')
    .select(['user_id', 'first_name', 'last_name'])
    .where('org_id', '=', orgId)
    .where('user_id', '=', sql<string>`any(${[...userIds]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.user_id, `${row.first_name} ${row.last_name}`.trim()]))
}

export async function selectOperatorsAcrossOrgs(tx: Tx): Promise<Member[]> {
  const rows = await tx.db
    .selectFrom('members')
    .select(columns)
    .where('role', '=', 'platform-admin')
    .execute()
  return rows.map(toMember)
}

/** Members whose role can administer. Their revocations may still deny it: see isAdministrator. */
export async function selectAdministrators(tx: Tx, orgId: string): Promise<Member[]> {
  const rows = await tx.db
    .selectFrom('members')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('role', 'in', ['org-admin', 'platform-admin'])
    .execute()
  return rows.map(toMember)
}

/** Members who may hold the permission by role or grant. Their revocations may still deny it. */
export async function selectPossibleHolders(
  tx: Tx,
  orgId: string,
  { permission, limit }: { permission: Permission; limit: number },
): Promise<Member[]> {
  const rows = await tx.db
    .selectFrom('members')
    .select(columns)
    .where('org_id', '=', orgId)
    .where((is) =>
      is.or([is('role', '<>', 'viewer'), is('grants', '&&', sql<string[]>`array[${permission}]`)]),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map(toMember)
}

export async function updateMemberRow(
  tx: Tx,
  orgId: string,
  change: { userId: string } & Partial<Membership> & Partial<Omit<NewMember, 'userId' | 'email'>>,
): Promise<Member> {
  const row = await tx.db
    .updateTable('members')
    .set({
      ...(change.role && { role: change.role }),
      ...(change.firstName !== undefined && { first_name: change.firstName }),
      ...(change.lastName !== undefined && { last_name: change.lastName }),
      ...(change.country !== undefined && { country: change.country }),
      ...(change.grants && { grants: [...change.grants] }),
      ...(change.revocations && { revocations: [...change.revocations] }),
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .where('user_id', '=', change.userId)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toMember(row)
}

export async function deleteMember(tx: Tx, orgId: string, userId: string): Promise<void> {
  await tx.db.deleteFrom('members').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
}

/** Everything that authentication needs, in one statement. */
export async function findMembership(
  tx: Tx,
  orgId: string,
  userId: string,
): Promise<MembershipWithFeatures | undefined> {
  const row = await tx.db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.org_id', 'members.org_id')
    .select(['members.role', 'members.grants', 'members.revocations', 'organizations.features'])
    .where('members.org_id', '=', orgId)
    .where('members.user_id', '=', userId)
    .where(sql<boolean>`not is_credential_suspended(members.org_id, members.user_id, null)`)
    .executeTakeFirst()
  return row && { ...toMembership(row), features: toFeatures(row.features) }
}

const membershipsLimit = 1_000

/** The organisations of a person, by name. */
export async function selectMembershipsAcrossOrgs(
  db: Kysely<DB>,
  userId: string,
): Promise<MembershipOfPerson[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.org_id', 'members.org_id')
    .select([
      'members.org_id as orgId',
      'organizations.name as organizationName',
      'organizations.features',
      'members.role',
      'members.grants',
      'members.revocations',
    ])
    .where('members.user_id', '=', userId)
    .orderBy('organizations.name')
    .orderBy('members.org_id')
    .limit(membershipsLimit)
    .execute()
  return rows.map((row) => ({
    orgId: row.orgId,
    organizationName: row.organizationName,
    membership: toMembership(row),
    features: toFeatures(row.features),
  }))
}
