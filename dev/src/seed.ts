import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createApiKey } from '../../server/src/domains/api-keys/create-api-key.ts'
import { addMember } from '../../server/src/domains/organizations/add-member.ts'
import { bootstrapPlatform } from '../../server/src/domains/organizations/bootstrap-platform.ts'
import { createOrganization } from '../../server/src/domains/organizations/create-organization.ts'
import { effectivePermissions, type Caller, type Role } from '../../server/src/lib/access.ts'
import { newId } from '../../server/src/lib/ids.ts'
import { readConfig } from '../../server/src/main/config.ts'
import { createDeps, type Deps } from '../../server/src/main/deps.ts'

export type SeededMember = { user_id: string; email: string; role: string; api_key: string }
export type SeededOrg = { org_id: string; name: string; country: string; members: SeededMember[] }
export type SeedResult = {
  platformAdmin: { org_id: string; user_id: string; email: string; api_key: string }
  orgs: SeededOrg[]
}

const organizations = [
  { name: 'Lagos Lending', country: 'NG', domain: 'lagos-lending.test' },
  { name: 'Thames Trading', country: 'GB', domain: 'thames-trading.test' },
] as const

const people: readonly { role: Role; firstName: string; lastName: string }[] = [
  { role: 'org-admin', firstName: 'Ada', lastName: 'Admin' },
  { role: 'staff', firstName: 'Sam', lastName: 'Staff' },
  { role: 'viewer', firstName: 'Vera', lastName: 'Viewer' },
]

/** Two organisations in two countries, each with an org-admin, a staff and a viewer; and the operator. */
export async function seed(env: Record<string, string>): Promise<SeedResult> {
  const file = env['SEED_FILE']
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as SeedResult // our own file
  const deps = createDeps(readConfig(env))
  try {
    const result = await seedAll(deps)
    if (file !== undefined) writeFileSync(file, JSON.stringify(result, null, 2), { mode: 0o600 })
    return result
  } finally {
    await deps.close()
  }
}

export async function seedAll(deps: Deps): Promise<SeedResult> {
  const email = 'operator@switchyard.test'
  const operator = await bootstrapPlatform(deps, {
    name: 'Switchyard Operator',
    country: 'GB',
    admin: { userId: newId(), email, firstName: 'Olu', lastName: 'Operator', country: 'GB' },
  })
  const orgs: SeededOrg[] = []
  for (const organization of organizations) orgs.push(await seedOrganization(deps, operator, organization))
  return {
    platformAdmin: {
      org_id: operator.orgId,
      user_id: operator.userId,
      email,
      api_key: await seedKey(deps, operator),
    },
    orgs,
  }
}

async function seedOrganization(
  deps: Deps,
  operator: Caller,
  organization: (typeof organizations)[number],
): Promise<SeededOrg> {
  const { name, country, domain } = organization
  const members = people.map((person) => ({
    ...person,
    userId: newId(),
    email: `${person.firstName.toLowerCase()}@${domain}`,
    country,
  }))
  const [admin, ...others] = members
  if (!admin) throw new Error('an organisation needs its first person')
  const { orgId } = await createOrganization(deps, operator, { name, country, features: ['escrow'], admin })
  for (const member of others) await addMember(deps, operator, { ...member, orgId })
  const seeded: SeededMember[] = []
  for (const { userId, email, role } of members) {
    const caller = memberCaller(operator, { orgId, userId, role })
    seeded.push({ user_id: userId, email, role, api_key: await seedKey(deps, caller) })
  }
  return { org_id: orgId, name, country, members: seeded }
}

export const memberCaller = (
  operator: Caller,
  member: Pick<Caller, 'orgId' | 'userId' | 'role'>,
): Caller => ({
  ...operator,
  ...member,
  permissions: effectivePermissions({ role: member.role, grants: [], revocations: [] }),
})

const seedKey = async (deps: Deps, caller: Caller): Promise<string> =>
  (await createApiKey(deps, caller, { name: 'seed', scopes: null, expiresAt: null })).secret
