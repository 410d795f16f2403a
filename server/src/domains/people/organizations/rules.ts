import { effectivePermissions, rolePermissions, roles } from '../../../lib/requests/access.ts'
import type { Caller, Membership, Permission, Role } from '../../../lib/requests/access.ts'
import type { Identity, Organization, OrganizationChange } from './record.ts'
import { cannotChangeYourself, cannotGiveWhatYouLack, memberAboveYou } from './errors.ts'

/** Callers can only give permissions that they hold, by grant or by role. */
export function assertMayGive(caller: Caller, given: Iterable<Permission>): void {
  for (const permission of given)
    if (!caller.permissions.has(permission)) throw cannotGiveWhatYouLack(permission)
}

export const assertMayGiveRole = (caller: Caller, role: Role): void =>
  assertMayGive(caller, rolePermissions[role])

/** However few permissions are left to a member, those of a lower role cannot change them. */
export function assertRoleNotAbove(caller: Caller, member: Membership): void {
  if (roles.indexOf(member.role) < roles.indexOf(caller.role)) throw memberAboveYou()
}

/** Callers cannot demote or remove members who have a higher role or hold more permissions than they do. */
export function assertNotAbove(caller: Caller, member: Membership): void {
  assertRoleNotAbove(caller, member)
  if (!effectivePermissions(member).isSubsetOf(caller.permissions)) throw memberAboveYou()
}

export function assertNotSelf(caller: Caller, orgId: string, userId: string): void {
  if (caller.orgId === orgId && caller.userId === userId) throw cannotChangeYourself()
}

/** The grants and revocations that turn a role into exactly the wanted permissions. */
export function adjustmentsFor(
  role: Role,
  wanted: ReadonlySet<Permission>,
): Pick<Membership, 'grants' | 'revocations'> {
  const byRole = new Set(rolePermissions[role])
  return {
    grants: [...wanted].filter((permission) => !byRole.has(permission)),
    revocations: [...byRole].filter((permission) => !wanted.has(permission)),
  }
}

export const withGranted = (membership: Membership, permissions: readonly Permission[]): Set<Permission> =>
  effectivePermissions(membership).union(new Set(permissions))

export const withRevoked = (membership: Membership, permissions: readonly Permission[]): Set<Permission> =>
  effectivePermissions(membership).difference(new Set(permissions))

/** An organisation needs at least one member who can restore the permissions of others. */
export const isAdministrator = (membership: Membership): boolean =>
  (membership.role === 'org-admin' || membership.role === 'platform-admin') &&
  effectivePermissions(membership).has('permissions:write')

const controlPermissions: readonly Permission[] = [
  'payouts:approve',
  'approval-policies:write',
  'permissions:write',
]

/** With these somebody proposes that money leaves, or changes where it goes or who else may do so. */
const proposingPermissions: readonly Permission[] = [
  'payments:write',
  'refunds:write',
  'virtual-accounts:write',
  'escrow:write',
  'beneficiaries:write',
  'provider-configs:write',
  'ledger:write',
  'members:write',
]

/**
 * Whether a change decides who approves payouts and who decides about that, or lets somebody propose them. Undefined: not
 * a member.
 */
export function changesControl(before: Membership | undefined, after: Membership | undefined): boolean {
  const [held, wanted] = [before, after].map(controlOf)
  return held !== wanted || !proposalsOf(after).isSubsetOf(proposalsOf(before))
}

const proposalsOf = (membership: Membership | undefined): Set<Permission> =>
  membership ? effectivePermissions(membership).intersection(new Set(proposingPermissions)) : new Set()

const controlOf = (membership: Membership | undefined): string => {
  if (!membership) return ''
  const permissions = effectivePermissions(membership)
  const isAdmin = membership.role === 'org-admin' || membership.role === 'platform-admin'
  return [...(isAdmin ? ['admin'] : []), ...controlPermissions.filter((one) => permissions.has(one))].join(
    ' ',
  )
}

/** What payers see: an organisation that was verified under another name has to be verified again to show a new one. */
export const publicNameOf = ({ name, verifiedName }: Pick<Organization, 'name' | 'verifiedName'>): string =>
  verifiedName ?? name

/** What stays verified while the organisation has another name or country; null if it is what it is called now. */
export const stillVerified = (verified: Identity, now: Identity): Identity | null =>
  verified.name === now.name && verified.country === now.country ? null : verified

/** The same after a change of the organisation; undefined if nothing was ever verified. */
export function verifiedAfter(
  before: Pick<Organization, 'name' | 'country' | 'verifiedName' | 'verifiedCountry' | 'kybStatus'>,
  change: Pick<OrganizationChange, 'name' | 'country'>,
): Identity | null | undefined {
  const { name, country, verifiedName, verifiedCountry } = before
  if (before.kybStatus !== 'approved' && verifiedName === null) return undefined
  const verified = { name: verifiedName ?? name, country: verifiedCountry ?? country }
  return stillVerified(verified, { name: change.name ?? name, country: change.country ?? country })
}

const imageStarts: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
]

/** Detects the type by magic bytes. Raster images only, because an SVG can contain scripts. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 16).toString('latin1')
  return imageStarts.find(([, pattern]) => pattern.test(start))?.[0]
}
