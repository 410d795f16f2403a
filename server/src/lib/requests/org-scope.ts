import type { Caller } from './access.ts'
import { forbidden } from '../errors.ts'

/** An org id in a path, query or body may narrow a request and never widen it, except for the operator. */
export function orgInScope(
  caller: Caller,
  requestedOrgId: string | undefined,
  action: 'read' | 'write',
): string {
  if (requestedOrgId === undefined || requestedOrgId === caller.orgId) return caller.orgId
  if (caller.permissions.has(`platform:${action}`)) return requestedOrgId
  throw forbidden('Your credential belongs to another organisation. Use a credential of that organisation.')
}
