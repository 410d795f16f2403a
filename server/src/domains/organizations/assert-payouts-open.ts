import type { Database } from '../../db/database.ts'
import { payoutsClosed } from './errors.ts'
import { getOrganizationById } from './get-organization.ts'

/** Where the operator wants it, no money leaves before the organisation is verified, nor once it no longer is. */
export async function assertPayoutsOpen(deps: { db: Database }, orgId: string): Promise<void> {
  const { payoutsRequireKyb, kybStatus } = await getOrganizationById(deps, orgId)
  if (payoutsRequireKyb && kybStatus !== 'approved') throw payoutsClosed()
}
