import type { CompiledQuery } from 'kysely'
import type { LinkClaim } from './record.ts'
import { claimLink, markLinkPaid } from './store.ts'

type PaymentOfLink = { orgId: string; paymentId: string; linkId: string | null }

/** A payment for a link begins: in its own transaction, or not at all. */
export const claimStatements = (
  payment: PaymentOfLink & { createdAt: Date },
  claim: LinkClaim | undefined,
): CompiledQuery[] => (claim ? [claimLink(payment.orgId, claim, payment)] : [])

/** A payment for a link has completed: the link is paid by the same commit. */
export const paidStatements = (
  payment: PaymentOfLink & { status: string; updatedAt: Date },
  previousStatus: string,
): CompiledQuery[] =>
  payment.linkId !== null && payment.status === 'completed' && previousStatus !== 'completed'
    ? [markLinkPaid(payment.orgId, payment.linkId, payment)]
    : []
