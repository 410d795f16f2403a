import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Origin } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { LinkDeps, PaymentLink } from '../../parties/payment-links/record.ts'
import type { LinkStatus } from '../../parties/payment-links/rules.ts'
import type { LoadedPayment } from '../../payments/record.ts'
import type { RateDeps } from '../../pricing/rates/record.ts'

/** What only pages use. */
export interface PageDeps {
  pageRateLimit: { perSecond: number; burst: number }
  /** Takes from what an address may ask of all pages together; throws when nothing is left. */
  limitPages: (address: string) => void
  pageDb: Database
  pageVault: Vault
}

export type VisitDeps = LinkDeps & { pageKey: KeyRing }

/** A browser that has opened a link. */
export interface Visitor {
  linkRef: string
  session: string
  origin: Origin
}

/** A link as one visitor may see it. */
export interface Visit {
  link: PaymentLink
  status: LinkStatus
  /** The payment behind the link. */
  payment: LoadedPayment | undefined
  /** This browser started that payment. */
  isPayer: boolean
}

export type SceneKind =
  | 'choose'
  | 'redirect'
  | 'otp'
  | 'prompt'
  | 'transfer'
  | 'checking'
  | 'elsewhere'
  | 'done'
  | 'failed'
  | 'expired'
  | 'canceled'

export type PriceDeps = VisitDeps & RateDeps

/** What the payer pays and what the merchant receives; undefined while the payer has not entered an open amount. */
export interface Price {
  source: Money | undefined
  target: Money | undefined
  exchange: { orgRateId: string; rate: string; expiresAt: Date } | undefined
}

/** What a page shows: a link, or a payment that a provider sent the payer back from. */
export type PageSubject = { orgId: string; linkId: string } | { orgId: string; paymentId: string }

/** A page as it was read. */
export interface PageState {
  state: string
  subject: PageSubject
  /** Of the subject, as it was read. */
  version: string
  /** When to read again even if nothing has changed. */
  readAgainInMs?: number | undefined
}
