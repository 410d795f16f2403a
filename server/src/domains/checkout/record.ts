import type { Origin } from '../../lib/access.ts'
import type { Money } from '../../lib/money.ts'
import type { LinkDeps, PaymentLink } from '../payment-links/record.ts'
import type { LinkStatus } from '../payment-links/rules.ts'
import type { LoadedPayment } from '../payments/record.ts'
import type { RateDeps } from '../rates/record.ts'

export type VisitDeps = LinkDeps & { pageKey: Buffer }

/** Who looks at which link. */
export interface Visitor {
  linkRef: string
  session: string
  origin: Origin
}

/** A link as one browser may see it. */
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

/** What the payer pays and what arrives; undefined amounts while an open link waits for the payer to say. */
export interface Price {
  source: Money | undefined
  target: Money | undefined
  exchange: { orgRateId: string; rate: string; expiresAt: Date } | undefined
}
