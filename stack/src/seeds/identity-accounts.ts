import type { IdentityAccount } from '../services/identity-accounts.ts'
import type { SeedResult } from './seed.ts'

/** The accounts that can sign in. */
export function identityAccounts({ platformAdmin, orgs }: SeedResult): IdentityAccount[] {
  const members = orgs.flatMap(({ org_id, name, members: seeded }) =>
    seeded.map(({ user_id, email, role }) => ({ user_id, email, org_id, description: `${role} of ${name}` })),
  )
  const { user_id, email, org_id } = platformAdmin
  return [{ user_id, email, org_id, description: 'operator of the installation' }, ...members]
}
