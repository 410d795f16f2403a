import type { CompiledQuery } from 'kysely'
import type { Funding } from '../../../payments/record.ts'
import type { ShareFailure } from './record.ts'
import { payoutCanceled, payoutRejected, payoutReturned } from './rules.ts'
import { beginShare, endShare } from './store.ts'

/**
 * Updates the share in the same transaction as its payout, so that disbursed totals are always exact. Payouts that
 * belong to no escrow match no share.
 */
export const updateShare: Funding = (previous, payment): CompiledQuery[] => {
  const { orgId, paymentId, updatedAt: at } = payment
  if (previous === undefined) return [beginShare(orgId, paymentId, at)]
  const failed = (failure: ShareFailure): CompiledQuery[] => [
    endShare(orgId, { paymentId, from: 'paying', to: 'failed', failure, at }),
  ]
  switch (payment.status) {
    case 'completed':
      return [endShare(orgId, { paymentId, from: 'paying', to: 'paid', failure: null, at })]
    case 'failed':
      return failed({
        code: payment.failureCode ?? 'PAYOUT_FAILED',
        message: payment.failureMessage ?? 'The payout failed.',
      })
    case 'rejected':
      return failed({
        code: payoutRejected,
        message: 'The payout was rejected in review or by its provider.',
      })
    case 'canceled':
      return failed({ code: payoutCanceled, message: 'The payout was canceled.' })
    case 'refunded': {
      const failure = { code: payoutReturned, message: 'The provider gave the completed payout back.' }
      return [endShare(orgId, { paymentId, from: 'paid', to: 'failed', failure, at })]
    }
    case 'initiated':
    case 'reviewed':
    case 'confirmed':
    case 'processing':
    case 'pending':
      return []
  }
}
