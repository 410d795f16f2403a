import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { detailsOf, type Details } from './payments.ts'
import { cardFailure } from './refusals.ts'
import {
  amountOf,
  amountSchema,
  idempotencyKeyOf,
  invalidField,
  isOwnMerchant,
  majorOf,
  newLinkId,
  newPspReference,
  parseRequest,
  refused,
  wrongMerchant,
} from './wire.ts'

const linkSchema = z.object({
  amount: amountSchema,
  merchantAccount: z.string(),
  reference: z.string().min(1).max(80),
  returnUrl: z.url({ protocol: /^https?$/ }).optional(),
})

export async function createLink(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(linkSchema, call, invalidField)
  if ('refusal' in parsed) return parsed.refusal
  const { amount, merchantAccount, reference, returnUrl } = parsed.input
  if (!isOwnMerchant(call, merchantAccount)) return wrongMerchant()
  const linkId = newLinkId()
  const url = `${kit.publicUrl()}/adyen/pay/${call.account.name}/${linkId}`
  const answer = { id: linkId, amount, merchantAccount, reference, status: 'active', url }
  const details: Details = { merchantReference: reference, merchantAccount, answer, returnUrl, linkId }
  const major = majorOf(amount)
  return carryOut(kit, call, {
    operation: 'collect',
    reference: idempotencyKeyOf(call) ?? linkId,
    providerRef: newPspReference(),
    method: 'card',
    amount: major,
    currency: amount.currency,
    behaviour: behaviourFor({ amount: major }),
    details,
    start: { state: 'action_required', plan: [] },
    duplicate: (existing) => json(201, detailsOf(existing).answer),
    // There is no card yet, so only the method itself can be refused.
    decline: () => refused(422, '14_006', 'No suitable payment methods are available.'),
    failure: cardFailure,
    accepted: () => json(201, answer),
  })
}

export function showLink(kit: Kit, call: Call): Answer {
  const transaction = findLink(kit, call.account.name, call.params['linkId'] ?? '')
  if (transaction === undefined) return refused(404, '14_014', 'Payment link not found')
  const { answer } = detailsOf(transaction)
  const status = statusOf(transaction)
  return json(200, { ...answer, amount: amountOf(transaction), status, updatedAt: transaction.updatedAt })
}

export function findLink(kit: Kit, account: string, linkId: string): Transaction | undefined {
  return [...kit.transactions.values()].find(
    (one) => one.account === account && one.operation === 'collect' && detailsOf(one).linkId === linkId,
  )
}

/** A refused card leaves the link open, because the shopper may try another one. */
function statusOf({ state }: Transaction): string {
  if (state === 'action_required') return 'active'
  if (state === 'pending') return 'paymentPending'
  return state === 'failed' ? 'expired' : 'completed'
}
