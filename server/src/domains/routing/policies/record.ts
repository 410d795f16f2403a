import type { FailureCode } from '../../../connectors/kit/failures.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { ChangeControl } from '../../people/change-requests/record.ts'

/** Has one of the two: a provider, or one account where the owner has several at a provider. */
export interface RouteName {
  provider?: string | undefined
  account?: string | undefined
}

type MetadataValue = string | number | boolean

/** Every condition that is given must hold; a list holds if it contains the payment's value. */
export interface Conditions {
  direction?: 'payin' | 'payout' | undefined
  method?: string[] | undefined
  country?: string[] | undefined
  currency?: string[] | undefined
  /** Both bounds are inclusive. A payment in another currency does not match. */
  amount?: { currency: string; min?: number | undefined; max?: number | undefined } | undefined
  card_brand?: string[] | undefined
  issuer_country?: string[] | undefined
  network?: string[] | undefined
  customer_type?: string[] | undefined
  metadata?: Record<string, MetadataValue | MetadataValue[]> | undefined
  /** From `from` on and before `to`, in the zone; it may span midnight. */
  time_of_day?: { from: string; to: string; zone: string } | undefined
}

/** `order` names the accounts to prefer among those that the strategy ranks equally; the rest follow by priority. */
export type Strategy = { order?: RouteName[] | undefined } & (
  | { type: 'priority' }
  | { type: 'split'; shares: (RouteName & { percent: number })[] }
  | { type: 'cost' }
  | {
      type: 'success_rate'
      exploration_percent: number
      daily_limit: number
      hysteresis_percent: number
    }
)
export type StrategyType = Strategy['type']

export interface Rule {
  name: string
  when: Conditions
  strategy: Strategy
}

/** What a provider charges, by contract. The first entry that fits a payment applies. */
export type CostTerms = RouteName & {
  direction?: 'payin' | 'payout' | undefined
  method?: string[] | undefined
  country?: string[] | undefined
  currency?: string | undefined
  percent: number
  fixed?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
}

/** What follows a decline with the code, in place of what the connector suggests. */
export type AfterDecline = 'next' | 'later' | 'stop'
export type FallbackTable = Partial<Record<AdjustableDecline, AfterDecline>>

/**
 * The declines after which the policy may allow another provider. The others mean that the customer was
 * asked and did not agree, or that the payment is suspicious: after those, no second provider is asked.
 */
export const adjustableDeclines = [
  'ACCOUNT_INVALID',
  'ACCOUNT_LIMIT_REACHED',
  'ACCOUNT_NOT_FOUND',
  'AMOUNT_NOT_ALLOWED',
  'CARD_DECLINED',
  'CARD_INVALID',
  'CURRENCY_NOT_SUPPORTED',
  'INSUFFICIENT_FUNDS',
  'NETWORK_NOT_SUPPORTED',
  'OTHER_PAYMENT_IN_PROGRESS',
  'PROVIDER_OUT_OF_FUNDS',
  'PROVIDER_REFUSED',
  'PROVIDER_UNAVAILABLE',
  'UNSPECIFIED',
] as const satisfies readonly FailureCode[]
type AdjustableDecline = (typeof adjustableDeclines)[number]

/** A policy as people write it and as it is stored. The first rule that matches decides. */
export interface PolicyDocument {
  rules: Rule[]
  otherwise: Strategy
  costs?: CostTerms[] | undefined
  fallback?: FallbackTable | undefined
}

export type VersionState = 'draft' | 'published' | 'superseded' | 'discarded'

/** A version never changes its document; another document is another version. */
export interface PolicyVersion {
  /** The installation's policy applies to the organisations that have none of their own. */
  orgId: string
  version: number
  state: VersionState
  document: PolicyDocument
  note: string | null
  /** The version whose document a rollback has published again. */
  restores: number | null
  createdBy: string
  createdAt: Date
  publishedBy: string | null
  publishedAt: Date | null
}

export interface PublishedPolicy extends Pick<PolicyVersion, 'version' | 'document'> {
  owner: 'organization' | 'installation'
}

/** Cached for a second in each process; what this process publishes takes effect at once. */
export interface RoutingPolicySource {
  published(orgId: string): Promise<PublishedPolicy | undefined>
  invalidate(): void
}

/** What rules can ask about a payment. */
export interface PaymentFacts {
  /** Draws the shares and the explorations; a repetition of the payment has the same one. */
  seed: string
  at: Date
  direction: 'payin' | 'payout'
  method: string
  country: string
  source: Money
  /** What the provider moves, and charges for. */
  carried: Money
  cardBrand: string | null
  issuerCountry: string | null
  network: string | null
  metadata: Readonly<Record<string, unknown>> | null
}

/** The figures of the strategy that explain a candidate's position. */
export interface RouteFigures {
  sharePercent?: number
  /** The expected part of the attempts that succeed, between 0 and 1. */
  successRate?: number
  /** The weight of the attempts that the rate rests on. */
  attempts?: number
  /** What the provider is expected to charge, in the currency that it moves. */
  cost?: string
}

/** Stored with the payment. */
export interface RoutingDecision {
  policy: PublishedPolicy['owner']
  version: number
  /** Null: no rule matched, so the policy's `otherwise` applied. */
  rule: string | null
  strategy: StrategyType
  /** The first candidate was tried to learn about it, although another one leads. */
  isExploration: boolean
  /** The currency of the candidates' costs. */
  currency: string
}

export interface RoutingPolicyDeps {
  db: Database
  cursorKey: KeyRing
  changeControl: ChangeControl
  routingPolicies: RoutingPolicySource
}
