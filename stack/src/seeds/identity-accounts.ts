import type { IdentityAccount } from '../services/identity-accounts.ts'
import type { SeedResult } from './seed.ts'

/** The accounts that can sign in. */
export function identityAccounts({ platformAdmin, orgs }: SeedResult): IdentityAccount[] {
  const members = orgs.flatMap(({ org_id, members: seeded }) =>
    seeded.map(({ user_id, email }) => ({ user_id, email, org_id })),
  )
  const { user_id, email, org_id } = platformAdmin
  return [{ user_id, email, org_id }, ...members]
}
