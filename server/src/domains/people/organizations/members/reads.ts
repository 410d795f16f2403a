import type { Database, Tx } from '../../../../kernel/db/database.ts'
import { effectivePermissions, type Caller, type Permission } from '../../../../lib/requests/access.ts'
import { forbidden, notFound } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import { isAdministrator } from '../rules.ts'
import type { Member, MembershipOfPerson } from './record.ts'
import {
  findMember,
  findMemberByEmail,
  selectAdministrators,
  selectMembers,
  selectMembershipsAcrossOrgs,
  selectNames,
  selectOperatorsAcrossOrgs,
  selectPossibleHolders,
} from './store.ts'

export async function getMember(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; userId: string },
): Promise<Member> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const member = await deps.db.inOrg(orgId, (tx) => findMember(tx, orgId, input.userId))
  if (!member) throw notFound('The member')
  return member
}

/** For operations that have checked the caller's access themselves. */
export const findMemberById = (
  deps: { db: Database },
  orgId: string,
  userId: string,
): Promise<Member | undefined> => deps.db.inOrg(orgId, (tx) => findMember(tx, orgId, userId))

export const isMember = async (deps: { db: Database }, orgId: string, userId: string): Promise<boolean> =>
  (await findMemberById(deps, orgId, userId)) !== undefined

/** In the caller's transaction. Email addresses are compared case-insensitively. */
export const isMemberByEmail = async (tx: Tx, orgId: string, email: string): Promise<boolean> =>
  (await findMemberByEmail(tx, orgId, email)) !== undefined

export async function getCurrentUser(deps: { db: Database }, caller: Caller): Promise<Member> {
  const member = await deps.db.inOrg(caller.orgId, (tx) => findMember(tx, caller.orgId, caller.userId))
  if (!member) throw notFound('The user')
  return member
}

/** In the caller's transaction. */
export const findMemberIn = (tx: Tx, orgId: string, userId: string): Promise<Member | undefined> =>
  findMember(tx, orgId, userId)

export function listMembers(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { orgId: string; page: PageRequest },
): Promise<Page<Member>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'members', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectMembers(tx, orgId, { limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.userId }),
  })
}

export function listUsers(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { orgId: string | undefined; page: PageRequest },
): Promise<Page<Member>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'users', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectMembers(tx, orgId, { limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.userId }),
  })
}

/** The organisations that a person is a member of, by name. */
export const listMemberships = (deps: { db: Database }, userId: string): Promise<MembershipOfPerson[]> =>
  selectMembershipsAcrossOrgs(deps.db.readAcrossOrgs, userId)

/** The names of those users who are members, by id, in the caller's transaction. Others have left or are payers. */
export const listNamesIn = async (
  tx: Tx,
  orgId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> => {
  const distinct = [...new Set(userIds)]
  return distinct.length === 0 ? new Map() : selectNames(tx, orgId, distinct)
}

/** Those who are notified when the organisation has to decide something. */
export const listAdministrators = (deps: { db: Database }, orgId: string): Promise<Member[]> =>
  deps.db.inOrg(orgId, (tx) => listAdministratorsIn(tx, orgId))

/** In the caller's transaction. */
export async function listAdministratorsIn(tx: Tx, orgId: string): Promise<Member[]> {
  return (await selectAdministrators(tx, orgId)).filter(isAdministrator)
}

/** In the caller's transaction: whether people of the operator are members. */
export const hasOperators = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await selectAdministrators(tx, orgId)).some(({ role }) => role === 'platform-admin')

/** Those who are notified when the operator has to decide something. */
export const listOperatorsAcrossOrgs = (tx: Tx): Promise<Member[]> => selectOperatorsAcrossOrgs(tx)

/** The members who are notified when a dispute waits for a response. */
export const listResponders = (deps: { db: Database }, orgId: string): Promise<Member[]> =>
  listHolders(deps, orgId, 'disputes:write')

/** The members who are notified when a payment waits for approval. */
export const listApprovers = (deps: { db: Database }, orgId: string): Promise<Member[]> =>
  listHolders(deps, orgId, 'payouts:approve')

const holdersLimit = 50

async function listHolders(
  deps: { db: Database },
  orgId: string,
  permission: 'payouts:approve' | 'disputes:write',
): Promise<Member[]> {
  const members = await deps.db.inOrg(orgId, (tx) =>
    selectPossibleHolders(tx, orgId, { permission, limit: holdersLimit }),
  )
  return members.filter((member) => effectivePermissions(member).has(permission))
}

/** Callers may check themselves; checking others needs members:read. */
export async function checkPermission(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; userId: string; permission: Permission },
): Promise<boolean> {
  const aboutSelf = input.orgId === caller.orgId && input.userId === caller.userId
  if (!aboutSelf && !caller.permissions.has('members:read'))
    throw forbidden('You may check your own permissions only. Checking others needs members:read.')
  const member = await getMember(deps, caller, input)
  return effectivePermissions(member).has(input.permission)
}
