import type { Caller } from '../../../lib/requests/access.ts'
import { effectivePermissions, type Membership } from '../../../lib/requests/access.ts'
import type { Suspension } from './record.ts'

interface Operator extends Membership {
  orgId: string
  userId: string
}

/**
 * Whether anybody who can lift a suspension remains once this member is suspended. The suspended ones among the
 * operators cannot sign in.
 */
export const leavesAnOperator = (
  operators: readonly Operator[],
  suspended: readonly { orgId: string; userId: string | null }[],
  target: { orgId: string; userId: string },
): boolean => {
  const isSame = (one: { orgId: string; userId: string | null }, other: Operator): boolean =>
    one.orgId === other.orgId && one.userId === other.userId
  return operators.some(
    (operator) =>
      operator.userId !== target.userId &&
      effectivePermissions(operator).has('platform:write') &&
      !suspended.some((one) => isSame(one, operator)),
  )
}

export const isAbout = (suspension: Pick<Suspension, 'userId'>, caller: Pick<Caller, 'userId'>): boolean =>
  suspension.userId === caller.userId
