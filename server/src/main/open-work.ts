import { hasOpenDisputeAt } from '../domains/disputes/check-open-disputes.ts'
import { hasOpenPaymentAt } from '../domains/payments/check-open-payments.ts'
import { hasOpenLegAt } from '../domains/ramps/check-open-legs.ts'
import type { OpenWork } from '../domains/provider-accounts/record.ts'

/** Whether any organisation has something under way at a provider account. */
export const hasOpenWorkAt: OpenWork = async (tx, accountId) =>
  (await hasOpenPaymentAt(tx, accountId)) ||
  (await hasOpenDisputeAt(tx, accountId)) ||
  hasOpenLegAt(tx, accountId)
