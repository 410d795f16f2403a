import type { KybDecision } from '../../../connectors/kit/kyb-provider.ts'
import type { Feature } from '../../../lib/requests/access.ts'

export const cardPolicies = ['allowed', 'hosted_only'] as const
/** Whether card numbers may be sent to us, or only be entered on the providers' pages. */
export type CardPolicy = (typeof cardPolicies)[number]

export interface Organization {
  orgId: string
  name: string
  country: string
  /** What was verified, if the name or the country has been changed since. Payers see this name. */
  verifiedName: string | null
  verifiedCountry: string | null
  features: string[]
  kybStatus: string
  kybCustomerId: string | null
  kybReason: string | null
  payoutsRequireKyb: boolean
  /** The installation's provider accounts are not used, even where a configuration names them. */
  ownAccountsOnly: boolean
  cards: CardPolicy
  rateMarginBps: number
  returnUrlHosts: string[]
  returnUrlSchemes: string[]
  brandColor: string | null
  hasLogo: boolean
  createdAt: Date
  updatedAt: Date
}

export interface OrganizationChange {
  name?: string | undefined
  country?: string | undefined
  features?: Feature[] | undefined
  payoutsRequireKyb?: boolean | undefined
  ownAccountsOnly?: boolean | undefined
  cards?: CardPolicy | undefined
  rateMarginBps?: number | undefined
  returnUrlHosts?: string[] | undefined
  returnUrlSchemes?: string[] | undefined
  brandColor?: string | null | undefined
  logo?: Buffer | null | undefined
}

/** Who an organisation is, as its verification confirms it. */
export interface Identity {
  name: string
  country: string
}

export type KybStatus = 'not_started' | KybDecision

/** The state of the organisation's business verification. */
export interface OrganizationKyb {
  orgId: string
  name: string
  country: string
  /** What was verified, if the name or the country has been changed since. */
  verified: Identity | undefined
  /** What the verification was started with. */
  submitted: Identity | undefined
  status: KybStatus
  customerId: string | null
  isFinal: boolean
  /** When the last applied update happened, by the provider's clock. */
  newsAt: Date | null
  eventCount: number
}

export interface KybChange {
  status: KybStatus
  customerId: string
  reason?: string | null
  isFinal?: boolean
  newsAt?: Date
  eventCount?: number
  submitted?: Identity
  /** Null: what was verified is what the organisation is called now. */
  verified?: Identity | null
}
