import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { ReturnUrlPolicy } from '../../../lib/net/return-target.ts'
import type { AmountType, LinkStatus } from './rules.ts'

export interface StoredLink {
  orgId: string
  linkId: string
  linkRef: string
  /** The member who created the link. */
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
  sessionHash: Buffer | null
  orgRateId: string | null
  expiresAt: Date
  paidAt: Date | null
  createdAt: Date
}

export interface PaymentLink extends Omit<StoredLink, 'privateSealed'> {
  email: string | null
}

export interface LinkWithStatus extends PaymentLink {
  /** The status of the payment behind the link. */
  paymentStatus: string | null
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
  /** The version shown to the payer: if another payment or other terms came since, the claim fails. */
  version: number
  sessionHash: Buffer
}

export interface LinkDeps {
  db: Database
  clock: Clock
  vault: Vault
  publicUrl: string
  returnUrlPolicy: ReturnUrlPolicy
  listPaymentStatuses: PaymentStatusReader
}

/** Passed in because the payments domain, which answers it, depends on this one. */
type PaymentStatusReader = (
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>

/** Each change of a link raises its version. */
export type LinkVersion = Pick<StoredLink, 'orgId' | 'linkId' | 'version' | 'paymentId'>
