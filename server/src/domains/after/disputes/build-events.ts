import { formatMinor, wireAmount } from '../../../lib/money/money.ts'
import { buildEvent } from '../../events/webhooks/build-event.ts'
import type { NewEvent } from '../../events/webhooks/record.ts'
import type { Dispute } from './record.ts'
import { isOpenState } from './rules.ts'

/** The events of one change, which carry its number: the first change opens a dispute, and one that ends it closes it. */
export function disputeEvents(before: Dispute | undefined, after: Dispute): NewEvent[] {
  const types = [
    ...(before === undefined ? (['dispute.opened'] as const) : []),
    ...(before !== undefined && isOpenState(after.state) ? (['dispute.updated'] as const) : []),
    ...(isOpenState(after.state) ? [] : [closing(before, after)]),
  ]
  const sequence = (before?.eventCount ?? 0) + 1
  return types.map((type) =>
    buildEvent(type, {
      resourceId: after.disputeId,
      createdAt: after.updatedAt,
      data: {
        dispute_id: after.disputeId,
        payment_id: after.paymentId,
        state: after.state,
        previous_state: before?.state ?? null,
        reason: after.reason,
        provider: after.provider,
        provider_reason: after.providerReason,
        amount: wireAmount(after.amountMinor, after.currency),
        currency: after.currency,
        withdrawn_amount: wireAmount(after.withdrawnMinor, after.currency),
        due_by: after.dueBy?.toISOString() ?? null,
        updated_at: after.updatedAt.toISOString(),
        sequence,
      },
    }),
  )
}

/** Money that moves after the end is an update; another result closes it again. */
const closing = (before: Dispute | undefined, after: Dispute): 'dispute.closed' | 'dispute.updated' =>
  before?.state === after.state ? 'dispute.updated' : 'dispute.closed'

export const describeAmount = ({
  amountMinor,
  currency,
}: Pick<Dispute, 'amountMinor' | 'currency'>): string => `${formatMinor(amountMinor, currency)} ${currency}`
