import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { beforePosition } from '../../db/keyset.ts'
import { toFeatures, toMembership } from '../../lib/access.ts'
import type { Feature, Membership } from '../../lib/access.ts'
import type { Position } from '../../lib/cursor.ts'
import type { Member, NewMember, MembershipWithFeatures } from './members/record.ts'
import type { Organization, OrganizationChange } from './record.ts'

const organizationColumns = [
  'org_id as orgId',
  'name',
  'country',
  'features',
  'kyb_status as kybStatus',
  'kyb_customer_id as kybCustomerId',
  'kyb_reason as kybReason',
  'payouts_require_kyb as payoutsRequireKyb',
  'rate_margin_bps as rateMarginBps',
  'return_url_hosts as returnUrlHosts',
  'brand_color as brandColor',
  sql<boolean>`logo is not null`.as('hasLogo'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const memberColumns = [
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

export async function insertOrganizationAcrossOrgs(
  tx: Tx,
  organization: { orgId: string; name: string; country: string; features: readonly Feature[] },
): Promise<Organization> {
  return tx.db
    .insertInto('organizations')
    .values({
      org_id: organization.orgId,
      name: organization.name,
      country: organization.country,
      features: [...organization.features],
    })
    .returning(organizationColumns)
    .executeTakeFirstOrThrow()
}

export const findOrganization = (tx: Tx, orgId: string): Promise<Organization | undefined> =>
  tx.db.selectFrom('organizations').select(organizationColumns).where('org_id', '=', orgId).executeTakeFirst()

/** Also the lock under which the set of administrators may change. */
export const lockOrganization = (tx: Tx, orgId: string): Promise<Organization | undefined> =>
  tx.db
    .selectFrom('organizations')
    .select(organizationColumns)
    .where('org_id', '=', orgId)
    .forUpdate()
    .executeTakeFirst()

export function selectOrganizationsAcrossOrgs(
  tx: Tx,
  limit: number,
  before: Position | undefined,
): Promise<Organization[]> {
  let query = tx.db.selectFrom('organizations').select(organizationColumns)
  if (before) query = query.where(beforePosition('created_at', 'org_id', before))
  return query.orderBy('created_at', 'desc').orderBy('org_id', 'desc').limit(limit).execute()
}

export const updateOrganizationRow = (
  tx: Tx,
  orgId: string,
  change: OrganizationChange,
): Promise<Organization> =>
  tx.db
    .updateTable('organizations')
    .set({
      ...(change.name !== undefined && { name: change.name }),
      ...(change.country !== undefined && { country: change.country }),
      ...(change.features && { features: change.features }),
      ...(change.payoutsRequireKyb !== undefined && { payouts_require_kyb: change.payoutsRequireKyb }),
      ...(change.rateMarginBps !== undefined && { rate_margin_bps: change.rateMarginBps }),
      ...(change.returnUrlHosts && { return_url_hosts: change.returnUrlHosts }),
      ...(change.brandColor !== undefined && { brand_color: change.brandColor }),
      ...(change.logo !== undefined && { logo: change.logo }),
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .returning(organizationColumns)
    .executeTakeFirstOrThrow()

export async function findLogo(tx: Tx, orgId: string): Promise<Buffer | undefined> {
  const row = await tx.db
    .selectFrom('organizations')
    .select('logo')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.logo ?? undefined
}

export const findPlatformAdminAcrossOrgs = (tx: Tx): Promise<{ userId: string } | undefined> =>
  tx.db
    .selectFrom('members')
    .select('user_id as userId')
    .where('role', '=', 'platform-admin')
    .limit(1)
    .executeTakeFirst()

/** Undefined when the user or the email is a member already. */
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
    .returning(memberColumns)
    .executeTakeFirst()
  return row && toMember(row)
}

export async function findMember(tx: Tx, orgId: string, userId: string): Promise<Member | undefined> {
  const row = await tx.db
    .selectFrom('members')
    .select(memberColumns)
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
  let query = tx.db.selectFrom('members').select(memberColumns).where('org_id', '=', orgId)
  if (page.before) query = query.where(beforePosition('created_at', 'user_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('user_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toMember)
}

/** Those who could administer; the caller holds the organisation's lock. */
export async function selectAdministrators(tx: Tx, orgId: string): Promise<Member[]> {
  const rows = await tx.db
    .selectFrom('members')
    .select(memberColumns)
    .where('org_id', '=', orgId)
    .where('role', 'in', ['org-admin', 'platform-admin'])
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
    .returning(memberColumns)
    .executeTakeFirstOrThrow()
  return toMember(row)
}

export async function deleteMember(tx: Tx, orgId: string, userId: string): Promise<void> {
  await tx.db.deleteFrom('members').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
}

/** All that authentication needs, in one statement. */
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
    .executeTakeFirst()
  return row && { ...toMembership(row), features: toFeatures(row.features) }
}
