import { z } from 'zod'
import { wireAmount } from '../../../lib/money/money.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import { waitingKinds, type Waiting, type WaitingItem } from './record.ts'
import { countLimit, shownLimit } from './rules.ts'

const item = z.object({
  id: uuid,
  org_id: uuid,
  summary: z.string(),
  amount: wireDecimal.nullable(),
  currency: z.string().nullable(),
  requested_by: z.string().nullable(),
  due_by: dateTime.nullable(),
  created_at: dateTime,
})

const group = z.object({
  count: z.int().meta({ description: `At most ${countLimit}.` }),
  has_more: z.boolean().meta({ description: `Whether there are more than ${countLimit}.` }),
  items: z.array(item).meta({ description: `The first ${shownLimit}.` }),
})

const waiting = z
  .object({
    total: z.int(),
    payouts: group,
    refunds: group,
    change_requests: group,
    resolutions: group,
    ledger_adjustments: group,
    batches: group,
    exceptions: group,
    disputes: group,
    sanctions_matches: group,
  })
  .meta({ id: 'Waiting' })

export const waitingResponse = success(waiting)

const toItem = ({ amount, ...one }: WaitingItem): z.input<typeof item> => ({
  id: one.id,
  org_id: one.orgId,
  summary: one.summary,
  amount: amount && wireAmount(amount.amountMinor, amount.currency),
  currency: amount && amount.currency,
  requested_by: one.requestedBy,
  due_by: one.dueBy?.toISOString() ?? null,
  created_at: one.createdAt.toISOString(),
})

const toGroup = (items: readonly WaitingItem[]): z.input<typeof group> => ({
  count: items.length,
  has_more: items.length >= countLimit,
  items: items.slice(0, shownLimit).map(toItem),
})

export const toWaiting = (found: Waiting): z.input<typeof waitingResponse> => {
  const total = waitingKinds.reduce((sum, kind) => sum + found[kind].length, 0)
  return ok(total === 0 ? 'Nothing waits for you.' : `${total} things wait for you.`, {
    total,
    payouts: toGroup(found.payouts),
    refunds: toGroup(found.refunds),
    change_requests: toGroup(found.change_requests),
    resolutions: toGroup(found.resolutions),
    ledger_adjustments: toGroup(found.ledger_adjustments),
    batches: toGroup(found.batches),
    exceptions: toGroup(found.exceptions),
    disputes: toGroup(found.disputes),
    sanctions_matches: toGroup(found.sanctions_matches),
  })
}
