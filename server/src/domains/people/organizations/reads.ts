import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { CardPolicy, Organization } from './record.ts'
import {
  findLogo,
  findOrganization,
  selectOrganizationIdsAcrossOrgs,
  selectOrganizationsAcrossOrgs,
} from './store.ts'
import { imageTypeOf } from './rules.ts'
import { payoutsClosed } from './errors.ts'

export function getOrganization(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<Organization> {
  return getOrganizationById(deps, orgInScope(caller, input.orgId, 'read'))
}

/** For operations that have checked the caller's access themselves. */
export function getOrganizationById(deps: { db: Database }, orgId: string): Promise<Organization> {
  return deps.db.inOrg(orgId, (tx) => getOrganizationIn(tx, orgId))
}

/** In the caller's transaction. */
export async function getOrganizationIn(tx: Tx, orgId: string): Promise<Organization> {
  const organization = await findOrganization(tx, orgId)
  if (!organization) throw notFound('The organisation')
  return organization
}

/** Whether the organisation refuses the installation's provider accounts. */
export const ownAccountsOnlyIn = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await findOrganization(tx, orgId))?.ownAccountsOnly ?? false

/** The operator sees every organisation, everybody else their own. */
export function listOrganizations(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { page: PageRequest },
): Promise<Page<Organization>> {
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId: caller.orgId, route: 'organizations', filters: {} },
    read: (limit, before) =>
      caller.permissions.has('platform:read')
        ? deps.db.acrossOrgs((tx) => selectOrganizationsAcrossOrgs(tx, limit, before))
        : deps.db.inOrg(caller.orgId, async (tx) => {
            const own = await findOrganization(tx, caller.orgId)
            return own && !before ? [own] : []
          }),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.orgId }),
  })
}

/** For what the installation does for every organisation. */
export const listOrganizationIdsAcrossOrgs = (deps: { db: Database }): Promise<string[]> =>
  deps.db.acrossOrgs(selectOrganizationIdsAcrossOrgs)

export interface Logo {
  type: string
  bytes: Buffer
}

export async function getLogo(deps: { db: Database }, orgId: string): Promise<Logo | undefined> {
  const bytes = await deps.db.inOrg(orgId, (tx) => findLogo(tx, orgId))
  const type = bytes && imageTypeOf(bytes)
  return bytes && type !== undefined ? { type, bytes } : undefined
}

/** Refuses payouts of organisations without an approved verification where the operator requires one. */
export async function assertPayoutsOpen(deps: { db: Database }, orgId: string): Promise<void> {
  const { payoutsRequireKyb, kybStatus } = await getOrganizationById(deps, orgId)
  if (payoutsRequireKyb && kybStatus !== 'approved') throw payoutsClosed()
}

export interface CardPolicyDeps {
  db: Database
  /** The setting of the installation, which no organisation can loosen. */
  cards: CardPolicy
}

/** Whether card numbers may only be entered on the providers' pages. Not cached: a stricter setting counts at once. */
export const checkHostedOnly = async (deps: CardPolicyDeps, orgId: string): Promise<boolean> =>
  deps.cards === 'hosted_only' || (await getOrganizationById(deps, orgId)).cards === 'hosted_only'
