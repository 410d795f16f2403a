import type { Permission } from '../../lib/requests/access.ts'
import type { Access } from './access.ts'

/**
 * Who has to agree besides the caller before a call takes effect: an unrelated second person, or the two approvals of a
 * payout. `none` is followed by the reason why one person is enough.
 */
export type Control = 'second-person' | 'two-approvals' | `none: ${string}`

/** With these permissions money is moved out, or it is changed where money goes or who decides about it. */
const controlledPermissions: ReadonlySet<Permission | 'member' | 'public'> = new Set([
  'payments:write',
  'payouts:approve',
  'refunds:write',
  'disputes:write',
  'exceptions:write',
  'ledger:write',
  'virtual-accounts:write',
  'escrow:write',
  'beneficiaries:write',
  'provider-configs:write',
  'approval-policies:write',
  'members:write',
  'permissions:write',
  'organizations:write',
  'api-keys:write',
  'screening:write',
  'platform:write',
])

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export const needsControl = (method: string, { permission }: Access): boolean =>
  !reads.has(method) && controlledPermissions.has(permission)
