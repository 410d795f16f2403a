import type { ProviderAccount } from '../../providers/accounts/record.ts'
import type { EndedPaymentDeps } from '../../payments/supervision/settle-disputes.ts'
import type { DisputeDeps } from '../disputes/record.ts'
import type { RampDeps } from '../../products/ramps/record.ts'
import type { DepositDeps } from '../../products/virtual-accounts/deposits/record.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

export type WebhookDeps = RampDeps &
  DisputeDeps &
  EndedPaymentDeps &
  DepositDeps & {
    webhookKey: KeyRing
    /** Throws when an account has lately received too many messages that are forged, or unproven and about nothing here. */
    limitUnverified: (account: string) => void
  }

/** Only what a verified message says is applied. After any other genuine one, the provider is asked. */
export type Verdict = 'verified' | 'provider' | 'unsigned' | 'forged'

export interface Delivery {
  /** The account whose address received it. It may only report on what it carries. */
  account: ProviderAccount
  verdict: Verdict
  /** The message as it arrived. */
  body: string
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
  verdict: Verdict
  providerStatus: string
  result: string
}
