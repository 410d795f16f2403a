import { randomBytes } from 'node:crypto'
import { createApiKey } from '@switchyard/server/domains/people/api-keys/create-api-key.ts'
import { createOrganization } from '@switchyard/server/domains/people/organizations/create-organization.ts'
import { addMember } from '@switchyard/server/domains/people/organizations/members/add-member.ts'
import { listCredentials } from '@switchyard/server/domains/providers/accounts/reads.ts'
import type { Caller, Role } from '@switchyard/server/lib/requests/access.ts'
import { newId } from '@switchyard/server/lib/ids.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { memberCaller, operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import { listPerson } from './listed-person.ts'

/** Somebody who can send requests: a member of an organisation with a key, or with a token. */
export type Person = {
  readonly name: string
  readonly orgId: string
  readonly userId: string
  readonly headers: Readonly<Record<string, string>>
}

export type RobberyOrg = {
  readonly name: string
  readonly orgId: string
  readonly admin: Person
  readonly staff: Person
  /** A second administrator who approves whatever the first one asks for. */
  readonly accomplice?: Person
}

/**
 * `hostile` plays every endpoint against the operator; `unverified` is the same thief before any verification. In `guarded` one administrator acts alone: its second one, `absent`, never does anything; `founded` is the same with colleagues that the first one added before there was a policy. `trader` has no keys of its own. `clerk` is one of the operator's people, beside others who never act. `honest` has what can be stolen.
 */
export type People = {
  readonly hostile: RobberyOrg & { readonly accomplice: Person }
  readonly unverified: RobberyOrg
  readonly guarded: RobberyOrg & { readonly absent: string }
  readonly founded: RobberyOrg & { readonly absent: string }
  readonly trader: RobberyOrg
  readonly clerk: RobberyOrg
  /** Everybody of the operator; the clerk is one of them. */
  readonly operators: readonly string[]
  readonly honest: RobberyOrg
  /** Part of every text of the honest organisation; no thief may ever see it. */
  readonly canary: string
  /** The webhook addresses of the installation's accounts. A provider may lose them, so the suite tells the thieves. */
  readonly installationAddresses: readonly string[]
}

/** The organisations start with nothing: whatever they pay out, they must have paid in during the run. */
export async function seedPeople(deps: Deps, simulatorUrl: string): Promise<People> {
  const operator = operatorOf(await seedAll(deps))
  await seedProviders(deps, operator, simulatorUrl)
  await listPerson(deps)
  const canary = `canary${randomBytes(9).toString('hex')}`
  const guarded = await seedOrg(deps, operator, 'Guarded Goods', 'KE')
  const absent = await seedMember(deps, operator, guarded.orgId, { name: 'absent', role: 'org-admin' })
  const hostile = await seedOrg(deps, operator, 'Hostile Holdings', 'NG')
  const second = { name: 'accomplice', role: 'org-admin' } as const
  const founded = await seedOrg(deps, operator, 'Founder Foods', 'KE')
  const missing = await seedMember(deps, operator, founded.orgId, { name: 'absent', role: 'org-admin' })
  const clerk = await seedMember(deps, operator, operator.orgId, { name: 'clerk', role: 'platform-admin' })
  const watchful = await seedMember(deps, operator, operator.orgId, {
    name: 'watchful',
    role: 'platform-admin',
  })
  return {
    hostile: { ...hostile, accomplice: await seedMember(deps, operator, hostile.orgId, second) },
    unverified: await seedOrg(deps, operator, 'Unverified Union', 'NG'),
    guarded: { ...guarded, absent: absent.userId },
    founded: { ...founded, absent: missing.userId },
    trader: await seedOrg(deps, operator, 'Trading Tailors', 'GB'),
    clerk: { name: 'the operator', orgId: operator.orgId, admin: clerk, staff: clerk },
    operators: [operator, clerk, watchful].map(({ userId }) => userId),
    honest: await seedOrg(deps, operator, `Honest House ${canary}`, 'NG'),
    canary,
    installationAddresses: (await listCredentials(deps, operator)).map(({ webhookUrl }) => webhookUrl),
  }
}

async function seedOrg(deps: Deps, operator: Caller, name: string, country: string): Promise<RobberyOrg> {
  const admin = person('admin')
  const { orgId } = await createOrganization(deps, operator, { name, country, features: ['escrow'], admin })
  return {
    name,
    orgId,
    admin: await withKey(deps, operator, { orgId, userId: admin.userId, role: 'org-admin', name: 'admin' }),
    staff: await seedMember(deps, operator, orgId, { name: 'staff', role: 'staff' }),
  }
}

async function seedMember(
  deps: Deps,
  operator: Caller,
  orgId: string,
  { name, role }: { name: string; role: Role },
): Promise<Person> {
  const member = person(name)
  await addMember(deps, operator, { ...member, role, orgId })
  return withKey(deps, operator, { orgId, userId: member.userId, role, name })
}

const person = (name: string) => {
  const userId = newId()
  return {
    userId,
    email: `${name}-${userId}@robbery.test`,
    firstName: name,
    lastName: 'Member',
    country: 'GB',
  }
}

type Keyed = { orgId: string; userId: string; role: Role; name: string }

async function withKey(deps: Deps, operator: Caller, { orgId, userId, role, name }: Keyed): Promise<Person> {
  const caller = memberCaller(operator, { orgId, userId, role })
  const { secret } = await createApiKey(deps, caller, {
    name: 'robbery',
    scopes: null,
    allowedIps: null,
    expiresAt: null,
  })
  return { name, orgId, userId, headers: { authorization: 'NONE', 'x-api-key': secret } }
}
