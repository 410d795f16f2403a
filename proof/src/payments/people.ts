import { randomBytes } from 'node:crypto'
import { setPolicies } from '@switchyard/server/domains/pricing/approval-policies/set-policies.ts'
import { createConfig } from '@switchyard/server/domains/providers/configs/create-config.ts'
import { fromNewConfig } from '@switchyard/server/domains/providers/configs/schema.ts'
import type { Caller } from '@switchyard/server/lib/requests/access.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'
import {
  memberCaller,
  operatorOf,
  seedAll,
  seedSecondAdmins,
  type SeededOrg,
  type SeedResult,
} from '@switchyard/stack/seeds/seed.ts'
import { createSchedule } from '@switchyard/server/domains/pricing/fees/create-schedule.ts'
import type { NewSchedule } from '@switchyard/server/domains/pricing/fees/record.ts'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { openProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { corridors, orderFor } from './corridors.ts'

export type CrashOrg = {
  orgId: string
  initiator: string
  approver: string
  confirmer: string
  /** Confirms manual payments at the installation's account. */
  operator: string
  /** Part of every text of the organisation's customers; no other organisation may ever see it. */
  canary: string
}

export type People = { seed: SeedResult; orgs: [CrashOrg, CrashOrg] }

/** In whole units: no run may use it up, whatever its length. */
const crashFunds = 1_000_000_000_000n
const reviewFromMinor = 500_000_00n
/** Without a policy of its own a currency would be converted, and the run would depend on rates. */
const neverReachedMinor = 10n ** 15n

/** Two organisations that share the simulated providers; in the first, large payouts need two approvals. */
export async function seedPeople(deps: Deps, simulatorUrl: string): Promise<People> {
  const seed = await seedSecondAdmins(deps, await seedAll(deps))
  const operator = operatorOf(seed)
  await openProviders(deps, operator, simulatorUrl)
  const [lending, trading] = seed.orgs
  if (!lending || !trading) throw new Error('the seed lacks its organisations')
  await routeAll(deps, operator, [lending.org_id, trading.org_id])
  const caller = memberCaller(operator, {
    orgId: lending.org_id,
    userId: memberOf(lending, 'org-admin', 0).user_id,
    role: 'org-admin',
  })
  for (const { org_id: orgId } of seed.orgs) await seedFunds(deps, orgId, crashFunds)
  await createSchedule(deps, operator, crashFees)
  await setPolicies(deps, caller, {
    orgId: lending.org_id,
    policies: [...new Set(corridors.map(({ place }) => place.currency))].map((currency) => ({
      currency,
      payoutFromMinor: currency === 'NGN' ? reviewFromMinor : neverReachedMinor,
      dailyFromMinor: null,
      refundFromMinor: null,
      refundDailyFromMinor: null,
    })),
  })
  const operatorKey = seed.platformAdmin.api_key
  return { seed, orgs: [orgOf(lending, operatorKey), orgOf(trading, operatorKey)] }
}

/** Every payment is charged, so that each way that a payment can end is also one that its fee can end. */
const crashFees: NewSchedule = {
  orgId: null,
  label: 'Every payment',
  direction: null,
  method: null,
  country: null,
  currency: null,
  rateMillionths: 12_500,
  fixedMinor: 0n,
  minimumMinor: 0n,
  maximumMinor: null,
  isReturned: true,
}

/**
 * Routes every corridor to every provider that offers it, in the order of each organisation. The operator allows them
 * all: an organisation can only order and narrow what the operator has.
 */
async function routeAll(deps: Deps, operator: Caller, orgIds: readonly [string, string]): Promise<void> {
  for (const corridor of corridors) {
    const routeOf = (provider: (typeof corridor.providers)[number], priority: number) =>
      fromNewConfig({
        provider,
        country: corridor.place.country,
        direction: corridor.direction === 'payin' ? 'inbound' : 'outbound',
        payment_method: corridor.method,
        priority,
      })
    for (const provider of new Set([...orderFor(0, corridor), ...orderFor(1, corridor)]))
      await createConfig(deps, operator, { orgId: null, config: routeOf(provider, operatorPriority) })
    for (const org of [0, 1] as const)
      for (const [index, provider] of orderFor(org, corridor).entries())
        await createConfig(deps, operator, {
          orgId: orgIds[org],
          config: routeOf(provider, (index + 1) * 10),
        })
  }
}

const operatorPriority = 900

const orgOf = (org: SeededOrg, operator: string): CrashOrg => ({
  operator,
  orgId: org.org_id,
  initiator: memberOf(org, 'staff', 0).api_key,
  approver: memberOf(org, 'org-admin', 0).api_key,
  confirmer: memberOf(org, 'org-admin', 1).api_key,
  canary: `canary${randomBytes(9).toString('hex')}`,
})

function memberOf(org: SeededOrg, role: string, index: number): SeededOrg['members'][number] {
  const member = org.members.filter((candidate) => candidate.role === role)[index]
  if (!member) throw new Error(`${org.name} lacks its ${role}`)
  return member
}
