import type { ProviderAccount } from '../../providers/accounts/record.ts'
import type { DisputeDeps } from '../disputes/record.ts'
import type { RampDeps } from '../../products/ramps/record.ts'
import type { DepositDeps } from '../../products/virtual-accounts/deposits/record.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

export type WebhookDeps = RampDeps &
  DisputeDeps &
  DepositDeps & {
    webhookKey: KeyRing
    /** Throws when an account has lately received too many messages that are forged, or unsigned and about nothing here. */
    limitUnverified: (account: string) => void
  }

export interface Delivery {
  /** The account whose address received it. It may only report on what it carries. */
  account: ProviderAccount
  verdict: 'verified' | 'unsigned' | 'forged'
  /** It answers an inquiry of ours. */
  isAnswer: boolean
}

export interface InboxRow {
  provider: string
  /** The account whose address received it. */
  accountId: string
  dedupeKey: string
  reference: string
  paymentId: string | null
  verdict: 'verified' | 'unsigned' | 'forged'
  providerStatus: string
  result: string
}
