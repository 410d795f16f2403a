import type { Database } from '../../../kernel/db/database.ts'
import { payoutsClosed } from './errors.ts'
import { getOrganizationById } from './get-organization.ts'

/** Refuses payouts of organisations without an approved verification where the operator requires one. */
export async function assertPayoutsOpen(deps: { db: Database }, orgId: string): Promise<void> {
  const { payoutsRequireKyb, kybStatus } = await getOrganizationById(deps, orgId)
  if (payoutsRequireKyb && kybStatus !== 'approved') throw payoutsClosed()
}
