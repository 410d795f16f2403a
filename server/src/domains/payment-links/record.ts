import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Money } from '../../lib/money.ts'
import type { ReturnUrlPolicy } from '../../lib/return-target.ts'
import type { AmountType, LinkStatus } from './rules.ts'

export interface StoredLink {
  orgId: string
  linkId: string
  linkRef: string
  /** Who made it. */
  userId: string
  amountType: AmountType
  amount: Money
  payerCurrency: string
  country: string | null
  description: string
  clientReference: string | null
  returnUrl: string | null
  privateSealed: Buffer
  status: LinkStatus
  version: number
  paymentId: string | null
  /** Of the payment behind it. */
  paymentStatus: string | null
  sessionHash: Buffer | null
  orgRateId: string | null
  expiresAt: Date
  paidAt: Date | null
  createdAt: Date
}

export interface PaymentLink extends Omit<StoredLink, 'privateSealed'> {
  email: string | null
}

export interface LinkTerms {
  amountType: AmountType
  amount: Money
  payerCurrency: string
  country: string | null
  email: string | null
  description: string
  clientReference: string | null
  returnUrl: string | null
  expiresAt: Date | undefined
}

export type LinkChange = Partial<Omit<LinkTerms, 'amountType' | 'payerCurrency' | 'country'>>

export interface LinkClaim {
  linkId: string
  /** The version that the payer saw: with another payment or other terms behind the link, nothing is started. */
  version: number
  sessionHash: Buffer
}

export interface LinkDeps {
  db: Database
  clock: Clock
  vault: Vault
  publicUrl: string
  returnUrlPolicy: ReturnUrlPolicy
}
