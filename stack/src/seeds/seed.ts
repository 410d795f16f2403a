import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createApiKey } from '@switchyard/server/domains/people/api-keys/create-api-key.ts'
import { addMember } from '@switchyard/server/domains/people/organizations/members/add-member.ts'
import { bootstrapPlatform } from '@switchyard/server/domains/people/organizations/bootstrap-platform.ts'
import { createOrganization } from '@switchyard/server/domains/people/organizations/create-organization.ts'
import { createLink } from '@switchyard/server/domains/parties/payment-links/create-link.ts'
import {
  createLinkBody,
  linkUrl,
  toLinkTerms,
} from '@switchyard/server/domains/parties/payment-links/schema.ts'
import { effectivePermissions, type Caller, type Role } from '@switchyard/server/lib/requests/access.ts'
import { newId } from '@switchyard/server/lib/ids.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps, type Deps } from '@switchyard/server/main/deps.ts'
import { seedAccounts } from './seed-accounts.ts'
import { seedFunds } from './seed-funds.ts'
import { seedLendingPayments, seedTradingPayments } from './seed-payments.ts'
import { seedYear } from './seed-year.ts'
import {
  pointWebhooks,
  seedProviders,
  seedSandboxCorridors,
  storeSimulatorCredentials,
} from './seed-providers.ts'

export type SeededMember = { user_id: string; email: string; role: string; api_key: string }
export type SeededOrg = { org_id: string; name: string; country: string; members: SeededMember[] }
export type SeedResult = {
  platformAdmin: { org_id: string; user_id: string; email: string; api_key: string }
  orgs: SeededOrg[]
  /** The address in the stored credentials of the providers. */
  simulator?: string
  /** A payment page to try out. */
  payment_link?: string
  /** How many payments of the past year were made. */
  year?: number
}

const firstShare = 0.6

export type NewOrganization = { name: string; country: string; domain: string }

export const exampleOrganizations: readonly NewOrganization[] = [
  { name: 'Lagos Lending', country: 'NG', domain: 'lagos-lending.test' },
  { name: 'Thames Trading', country: 'GB', domain: 'thames-trading.test' },
]

const people: readonly { role: Role; firstName: string; lastName: string }[] = [
  { role: 'org-admin', firstName: 'Ada', lastName: 'Admin' },
  { role: 'staff', firstName: 'Sam', lastName: 'Staff' },
  { role: 'viewer', firstName: 'Vera', lastName: 'Viewer' },
]

/** Seeds the example data of a new installation. A seed that was interrupted is continued by the next call. */
export async function seed(env: Record<string, string>): Promise<SeedResult> {
  const deps = await createDeps(readConfig(env))
  try {
    await deps.sanctions.refresh()
    const result = await seedExamples(deps, env['SIMULATOR_URL'], env['SEED_FILE'])
    return await seedYears(deps, result, { count: Number(env['SEED_PAYMENTS'] ?? 0), file: env['SEED_FILE'] })
  } finally {
    await deps.close()
  }
}

/** Organisations, members and keys; with a simulator also providers, payments and a payment link. */
export async function seedExamples(deps: Deps, simulatorUrl?: string, file?: string): Promise<SeedResult> {
  const keep = (result: SeedResult): SeedResult => {
    if (file !== undefined) writeFileSync(file, JSON.stringify(result, null, 2), { mode: 0o600 })
    return result
  }
  const known = file === undefined ? undefined : readSeedFile(file)
  const result = known ?? keep(await seedAll(deps))
  if (simulatorUrl === undefined) return result
  const people = haveTwoAdmins(result) ? result : keep(await seedSecondAdmins(deps, result))
  await seedSimulator(deps, people, simulatorUrl)
  const payment_link = people.payment_link ?? (await seedLink(deps, people))
  return keep({ ...people, simulator: simulatorUrl, payment_link })
}

/** Shared among the organisations, the larger part to the first. Once they are made they are not made again. */
async function seedYears(
  deps: Deps,
  known: SeedResult,
  { count, file }: { count: number; file: string | undefined },
): Promise<SeedResult> {
  if (known.year !== undefined || count === 0) return known
  const shares = [Math.ceil(count * firstShare), Math.floor(count * (1 - firstShare))]
  for (const [index, org] of known.orgs.entries()) {
    const [staff] = callersOf(known, org, 'staff')
    if (!staff) throw new Error('the seed lacks the members who make payments')
    await seedYear(
      deps,
      { orgId: org.org_id, country: org.country, userId: staff.userId },
      shares[index] ?? 0,
    )
  }
  const result = { ...known, year: count }
  if (file !== undefined) writeFileSync(file, JSON.stringify(result, null, 2), { mode: 0o600 })
  return result
}

function readSeedFile(file: string): SeedResult | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SeedResult) : undefined // our own file
}

async function seedSimulator(deps: Deps, known: SeedResult, simulatorUrl: string): Promise<void> {
  const operator = operatorOf(known)
  if (known.simulator === undefined) {
    await seedProviders(deps, operator, simulatorUrl)
    await seedSandboxCorridors(deps, operator)
    await seedPayments(deps, known, simulatorUrl)
    return
  }
  if (known.simulator !== simulatorUrl) await storeSimulatorCredentials(deps, operator, simulatorUrl)
  await pointWebhooks(deps, operator, simulatorUrl)
}

async function seedPayments(deps: Deps, people: SeedResult, simulatorUrl: string): Promise<void> {
  const [lending, trading] = people.orgs
  const [initiator] = callersOf(people, lending, 'staff')
  const [approver, confirmer] = callersOf(people, lending, 'org-admin')
  const [shop] = callersOf(people, trading, 'staff')
  if (!initiator || !approver || !confirmer || !shop)
    throw new Error('the seed lacks the members who make payments')
  await seedLendingPayments({ deps, simulatorUrl }, { initiator, approver, confirmer })
  await seedTradingPayments({ deps, simulatorUrl }, shop)
  await seedAccounts(deps, initiator)
}

/** A link of the British shop, payable by card or bank transfer. A card that ends in 3220 leads to its bank's page. */
async function seedLink(deps: Deps, people: SeedResult): Promise<string> {
  const [shop] = callersOf(people, people.orgs[1], 'staff')
  if (!shop) throw new Error('the seed lacks the shop')
  const body = { amount: 129, currency: 'GBP', country: 'GB', description: 'Order 2004' }
  const terms = toLinkTerms(createLinkBody.parse(body))
  const { linkRef } = await createLink(deps, shop, { orgId: shop.orgId, ...terms })
  return linkUrl(deps.publicUrl, linkRef)
}

const callersOf = (people: SeedResult, org: SeededOrg | undefined, role: Role): Caller[] =>
  (org?.members ?? [])
    .filter((member) => member.role === role)
    .map((member) =>
      memberCaller(operatorOf(people), { orgId: org?.org_id ?? '', userId: member.user_id, role }),
    )

const hasTwoAdmins = (org: SeededOrg): boolean =>
  org.members.filter(({ role }) => role === 'org-admin').length > 1

const haveTwoAdmins = ({ orgs }: SeedResult): boolean => orgs.every(hasTwoAdmins)

/** Nobody may both approve and confirm a payout, so each organisation needs a second org-admin. */
export async function seedSecondAdmins(deps: Deps, people: SeedResult): Promise<SeedResult> {
  const operator = operatorOf(people)
  const orgs: SeededOrg[] = []
  for (const org of people.orgs)
    orgs.push(hasTwoAdmins(org) ? org : await seedSecondAdmin(deps, operator, org))
  return { ...people, orgs }
}

async function seedSecondAdmin(deps: Deps, operator: Caller, org: SeededOrg): Promise<SeededOrg> {
  const { org_id: orgId, country, members } = org
  const domain = members[0]?.email.split('@')[1] ?? 'example.test'
  const member = { userId: newId(), email: `femi@${domain}`, role: 'org-admin' as const }
  await addMember(deps, operator, { ...member, firstName: 'Femi', lastName: 'Finance', country, orgId })
  const { userId, email, role } = member
  const api_key = await seedKey(deps, memberCaller(operator, { orgId, userId, role }))
  return { ...org, members: [...members, { user_id: userId, email, role, api_key }] }
}

/** Two organisations in two countries, each with an org-admin, a staff and a viewer; and the operator. */
export const seedAll = (deps: Deps): Promise<SeedResult> => seedOrganizations(deps, exampleOrganizations)

/** The operator and these organisations, each with its members and keys. */
export async function seedOrganizations(
  deps: Deps,
  organizations: readonly NewOrganization[],
): Promise<SeedResult> {
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
  organization: NewOrganization,
): Promise<SeededOrg> {
  const { name, country, domain } = organization
  const members = people.map((person) => ({
    ...person,
    userId: newId(),
    email: `${person.firstName.toLowerCase()}@${domain}`,
    country,
  }))
  const [admin, ...others] = members
  if (!admin) throw new Error('an organisation needs a first member')
  const { orgId } = await createOrganization(deps, operator, { name, country, features: ['escrow'], admin })
  for (const member of others) await addMember(deps, operator, { ...member, orgId })
  await seedFunds(deps, orgId)
  const seeded: SeededMember[] = []
  for (const { userId, email, role } of members) {
    const caller = memberCaller(operator, { orgId, userId, role })
    seeded.push({ user_id: userId, email, role, api_key: await seedKey(deps, caller) })
  }
  return { org_id: orgId, name, country, members: seeded }
}

/** The first organisation with the key of its first administrator. */
export function firstAdmin({ orgs: [org] }: SeedResult): { orgId: string; apiKey: string } {
  const admin = org?.members.find(({ role }) => role === 'org-admin')
  if (!org || !admin) throw new Error('the seed has no administrator')
  return { orgId: org.org_id, apiKey: admin.api_key }
}

export const operatorOf = ({ platformAdmin }: SeedResult): Caller => ({
  orgId: platformAdmin.org_id,
  userId: platformAdmin.user_id,
  role: 'platform-admin',
  permissions: effectivePermissions({ role: 'platform-admin', grants: [], revocations: [] }),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin: { ip: 'local', userAgent: undefined, requestId: newId() },
})

export const memberCaller = (
  operator: Caller,
  member: Pick<Caller, 'orgId' | 'userId' | 'role'>,
): Caller => ({
  ...operator,
  ...member,
  permissions: effectivePermissions({ role: member.role, grants: [], revocations: [] }),
})

const seedKey = async (deps: Deps, caller: Caller): Promise<string> =>
  (await createApiKey(deps, caller, { name: 'seed', scopes: null, allowedIps: null, expiresAt: null })).secret
