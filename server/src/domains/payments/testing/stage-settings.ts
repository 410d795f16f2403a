import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { newId } from '../../../lib/ids.ts'
import type { Log } from '../../../lib/log.ts'
import type { ApprovalPolicySource } from '../../pricing/approval-policies/check-approval.ts'
import type { FeeSchedule } from '../../pricing/fees/record.ts'
import type { Scenario } from './scenarios.ts'

/** What all payments of a run share. */
export interface Stage {
  db: Database
  vault: Vault
  log: Log
  key: KeyRing
  orgs: readonly { orgId: string; orgRateId: string }[]
  configIds: ReadonlyMap<string, string>
  /** The installation's accounts, by provider. */
  accountIds: ReadonlyMap<string, string>
  doors: Doors
}

/** Opens and closes what all processes share, as the operator would. */
export interface Doors {
  openAccount(provider: string, accountId: string): Promise<unknown>
  close(accountId: string, how: 'retired' | 'suspended'): Promise<unknown>
  reopen(accountId: string): Promise<unknown>
  match(payment: { orgId: string; paymentId: string }, status: string): Promise<unknown>
}

/** A scenario that closes accounts has accounts of its own, because other payments run at the same time. */
export function withOwnAccounts(stage: Stage, { turns, providers }: Scenario): Stage {
  const closes = turns.some(({ steps }) => steps.some((step) => step.do === 'close'))
  if (!closes) return stage
  return { ...stage, accountIds: new Map(providers.map((provider) => [provider, newId()])) }
}

export const orgOf = (stage: Stage, { org }: Scenario): Stage['orgs'][number] => {
  const found = stage.orgs[org]
  if (!found) throw new Error('the scenario names an organisation that does not exist')
  return found
}

export const policiesOf = ({ needsReview, source }: Scenario): ApprovalPolicySource => ({
  list: () =>
    Promise.resolve(
      needsReview
        ? [
            {
              currency: source.currency,
              payoutFromMinor: 1n,
              dailyFromMinor: null,
              refundFromMinor: null,
              refundDailyFromMinor: null,
            },
          ]
        : [],
    ),
  invalidate: () => undefined,
})

const scheduleId = '00000000-0000-7000-8000-00000000fee5'

/** One schedule for everything, or none. */
export const schedulesOf = ({ fee }: Scenario): FeeSchedule[] =>
  fee === null
    ? []
    : [
        {
          ...fee,
          orgId: null,
          scheduleId,
          label: 'Model',
          direction: null,
          method: null,
          country: null,
          currency: null,
          fixedMinor: 0n,
          minimumMinor: 0n,
          maximumMinor: null,
          createdAt: new Date(0),
          retiredAt: null,
        },
      ]

export const configsOf = (stage: Stage, scenario: Scenario) =>
  scenario.providers.map((provider) => ({
    ...blankConfig,
    provider,
    configId: stage.configIds.get(provider) ?? '',
    orgId: orgOf(stage, scenario).orgId,
    accountId: null,
    carrier: { accountId: stage.accountIds.get(provider) ?? '', custody: 'pooled' as const },
    reason: undefined,
    operatorBounds: undefined,
    paymentMethod: scenario.method,
    direction: scenario.direction,
  }))

const blankConfig = {
  country: 'GB',
  apiVersion: null,
  priority: 1,
  isActive: true,
  webhookRequired: false,
  minAmount: null,
  maxAmount: null,
  description: null,
  webhookUrl: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}
