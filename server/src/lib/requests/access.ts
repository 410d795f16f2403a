/** Permissions as `resource:action`. A role is a set of them; grants and revocations adjust it per member. */
export const permissions = [
  'organizations:read',
  'organizations:write',
  'members:read',
  'members:write',
  'permissions:write',
  'audit-log:read',
  'users:read',
  'verifications:read',
  'verifications:write',
  'analytics:read',
  'api-keys:read',
  'api-keys:write',
  'payment-links:read',
  'payment-links:write',
  'payments:read',
  'payments:write',
  'payouts:approve',
  'refunds:write',
  'disputes:read',
  'disputes:write',
  'exceptions:read',
  'exceptions:write',
  'ledger:read',
  'ledger:write',
  'beneficiaries:read',
  'beneficiaries:write',
  'personal-data:read',
  'virtual-accounts:read',
  'virtual-accounts:write',
  'escrow:read',
  'escrow:write',
  'rates:read',
  'networks:read',
  'provider-configs:read',
  'provider-configs:write',
  'approval-policies:read',
  'approval-policies:write',
  'webhooks:read',
  'webhooks:write',
  'screening:read',
  'screening:write',
  'platform:read',
  'platform:write',
] as const

export type Permission = (typeof permissions)[number]

/** From the highest to the lowest. */
export const roles = ['platform-admin', 'org-admin', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

const reads = permissions.filter(
  (permission) => permission.endsWith(':read') && !permission.startsWith('platform:'),
)
const adminReads: readonly Permission[] = [
  'api-keys:read',
  'audit-log:read',
  'payment-links:read',
  'provider-configs:read',
  'webhooks:read',
  'verifications:read',
  'analytics:read',
  'screening:read',
]
/** Account numbers, phone numbers and e-mail addresses in full; without it they are masked in every answer. */
const personalData: Permission = 'personal-data:read'
const viewerReads = reads.filter(
  (permission) => !adminReads.includes(permission) && permission !== personalData,
)
const orgPermissions = permissions.filter((permission) => !permission.startsWith('platform:'))

export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  'platform-admin': permissions,
  'org-admin': orgPermissions,
  staff: [
    ...viewerReads,
    'api-keys:read',
    'webhooks:read',
    'payment-links:read',
    'payment-links:write',
    'payments:write',
    'payouts:approve',
    'refunds:write',
    'disputes:write',
    'beneficiaries:write',
    'personal-data:read',
    'virtual-accounts:write',
    'exceptions:write',
    'verifications:write',
  ],
  viewer: viewerReads,
}

export const features = ['escrow'] as const
export type Feature = (typeof features)[number]

export interface Caller {
  readonly orgId: string
  readonly userId: string
  readonly role: Role
  readonly permissions: ReadonlySet<Permission>
  readonly features: ReadonlySet<Feature>
  readonly credential: Credential
  readonly origin: Origin
}

/**
 * `payment_link` is a payer on the page of a payment link of the organisation, `session` a member who signed in to the
 * dashboard; `authTime` is when they last proved to the identity provider who they are, if it says so.
 */
export type Credential =
  | { kind: 'api_key'; apiKeyId: string }
  | { kind: 'jwt' }
  | { kind: 'payment_link' }
  | { kind: 'session'; sessionId: string; authTime: Date | null }

/** A session as the browser presents it. */
export interface PresentedSession {
  token: string
  /** The organisation that the page shows, if it says so. */
  expectedOrgId: string | undefined
  /** The page sent the request by itself, so it does not prove that the person is still there. */
  isBackground: boolean
}

export interface Origin {
  readonly ip: string
  readonly userAgent: string | undefined
  readonly requestId: string
}

export interface Membership {
  role: Role
  grants: readonly Permission[]
  revocations: readonly Permission[]
}

const permissionSets: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  'platform-admin': new Set(rolePermissions['platform-admin']),
  'org-admin': new Set(rolePermissions['org-admin']),
  staff: new Set(rolePermissions.staff),
  viewer: new Set(rolePermissions.viewer),
}

/** Most members have exactly what their role gives, and share its set. */
export function effectivePermissions(membership: Membership): ReadonlySet<Permission> {
  if (membership.grants.length === 0 && membership.revocations.length === 0)
    return permissionSets[membership.role]
  const effective = new Set([...rolePermissions[membership.role], ...membership.grants])
  for (const revoked of membership.revocations) effective.delete(revoked)
  return effective
}

/** Reads permissions from the database. Names that this version does not know are ignored, so nobody gains by them. */
export const toPermissions = (names: readonly string[]): Permission[] =>
  names.length === 0 ? [] : permissions.filter((permission) => names.includes(permission))

export const toFeatures = (names: readonly string[]): Feature[] =>
  features.filter((feature) => names.includes(feature))

export const toMembership = (row: { role: string; grants: string[]; revocations: string[] }): Membership => ({
  role: roles.find((role) => role === row.role) ?? 'viewer',
  grants: toPermissions(row.grants),
  revocations: toPermissions(row.revocations),
})
