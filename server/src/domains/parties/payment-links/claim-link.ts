import type { CompiledQuery } from 'kysely'
import type { LinkClaim } from './record.ts'
import { claimLink, markLinkPaid } from './store.ts'

type PaymentOfLink = { orgId: string; paymentId: string; linkId: string | null }

/** Claims the link in the transaction that starts its payment, which fails if the link cannot be claimed. */
export const claimStatements = (
  payment: PaymentOfLink & { createdAt: Date },
  claim: LinkClaim | undefined,
): CompiledQuery[] => (claim ? [claimLink(payment.orgId, claim, payment)] : [])

/** Marks the link paid in the transaction that completes its payment. */
export const paidStatements = (
  payment: PaymentOfLink & { status: string; updatedAt: Date },
  previousStatus: string,
): CompiledQuery[] =>
  payment.linkId !== null && payment.status === 'completed' && previousStatus !== 'completed'
    ? [markLinkPaid(payment.orgId, payment.linkId, payment)]
    : []
