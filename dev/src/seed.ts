import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createApiKey } from '../../server/src/domains/api-keys/create-api-key.ts'
import { addMember } from '../../server/src/domains/organizations/add-member.ts'
import { bootstrapPlatform } from '../../server/src/domains/organizations/bootstrap-platform.ts'
import { createOrganization } from '../../server/src/domains/organizations/create-organization.ts'
import { effectivePermissions, type Caller, type Role } from '../../server/src/lib/access.ts'
import { newId } from '../../server/src/lib/ids.ts'
import { readConfig } from '../../server/src/main/config.ts'
import { createDeps, type Deps } from '../../server/src/main/deps.ts'
import { seedLendingPayments, seedTradingPayments } from './seed-payments.ts'
import { pointWebhooks, seedProviders, storeSimulatorCredentials } from './seed-providers.ts'

export type SeededMember = { user_id: string; email: string; role: string; api_key: string }
export type SeededOrg = { org_id: string; name: string; country: string; members: SeededMember[] }
export type SeedResult = {
  platformAdmin: { org_id: string; user_id: string; email: string; api_key: string }
  orgs: SeededOrg[]
  /** The address that the stored credentials of the providers name. */
  simulator?: string
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

/** What a new installation is given to look at; for one that has it, only the simulator is told where we are. */
export async function seed(env: Record<string, string>): Promise<SeedResult> {
  const { SEED_FILE: file, SIMULATOR_URL: simulatorUrl } = env
  const deps = createDeps(readConfig(env))
  try {
    const known = file === undefined ? undefined : readSeedFile(file)
    const people = known ?? (await seedAll(deps))
    const result = simulatorUrl === undefined ? people : await seedSimulator(deps, people, simulatorUrl)
    if (file !== undefined) writeFileSync(file, JSON.stringify(result, null, 2), { mode: 0o600 })
    return result
  } finally {
    await deps.close()
  }
}

function readSeedFile(file: string): SeedResult | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SeedResult) : undefined // our own file
}

async function seedSimulator(deps: Deps, known: SeedResult, simulatorUrl: string): Promise<SeedResult> {
  const operator = operatorOf(known)
  if (known.simulator === simulatorUrl) await pointWebhooks(deps, operator, simulatorUrl)
  else if (known.simulator !== undefined) {
    await storeSimulatorCredentials(deps, operator, simulatorUrl)
    await pointWebhooks(deps, operator, simulatorUrl)
  } else return seedPayments(deps, known, simulatorUrl)
  return { ...known, simulator: simulatorUrl }
}

async function seedPayments(deps: Deps, people: SeedResult, simulatorUrl: string): Promise<SeedResult> {
  const operator = operatorOf(people)
  await seedProviders(deps, operator, simulatorUrl)
  const [lending, trading] = people.orgs
  if (!lending || !trading) throw new Error('the seed has two organisations')
  const second = await seedSecondAdmin(deps, operator, lending)
  const caller = (org: SeededOrg, role: Role) => memberCaller(operator, memberOf(org, role))
  const seeding = { deps, simulatorUrl }
  await seedLendingPayments(seeding, {
    initiator: caller(lending, 'staff'),
    approver: caller(lending, 'org-admin'),
    confirmer: memberCaller(operator, { orgId: lending.org_id, userId: second.user_id, role: 'org-admin' }),
  })
  await seedTradingPayments(seeding, caller(trading, 'staff'))
  const orgs = [{ ...lending, members: [...lending.members, second] }, trading]
  return { ...people, orgs, simulator: simulatorUrl }
}

/** Whoever approved first cannot also confirm, so the organisation that pays out has another org-admin. */
async function seedSecondAdmin(deps: Deps, operator: Caller, org: SeededOrg): Promise<SeededMember> {
  const { org_id: orgId, country } = org
  const userId = newId()
  const email = 'femi@lagos-lending.test'
  const role = 'org-admin' as const
  const person = { firstName: 'Femi', lastName: 'Finance', country, userId, email, role }
  await addMember(deps, operator, { ...person, orgId })
  const caller = memberCaller(operator, { orgId, userId, role })
  return { user_id: userId, email, role, api_key: await seedKey(deps, caller) }
}

/** Two organisations in two countries, each with an org-admin, a staff and a viewer; and the operator. */
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

const operatorOf = ({ platformAdmin }: SeedResult): Caller => ({
  orgId: platformAdmin.org_id,
  userId: platformAdmin.user_id,
  role: 'platform-admin',
  permissions: effectivePermissions({ role: 'platform-admin', grants: [], revocations: [] }),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin: { ip: 'local', userAgent: undefined, requestId: newId() },
})

function memberOf(org: SeededOrg, role: Role): Pick<Caller, 'orgId' | 'userId' | 'role'> {
  const member = org.members.find((candidate) => candidate.role === role)
  if (!member) throw new Error(`${org.name} has no ${role}`)
  return { orgId: org.org_id, userId: member.user_id, role }
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
