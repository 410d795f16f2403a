import { z } from 'zod'
import { rawNumber } from '../../lib/text/json.ts'
import type { Attempt, RefundScope } from '../kit/connector.ts'
import { withQuery } from '../kit/form-body.ts'
import { notedRefunds, type NotedRefund } from '../kit/noted-refunds.ts'
import type { ProviderRefund } from '../kit/refunds.ts'
import { movementSchema, pagesSchema, type Movement } from './answers.ts'
import type { PaystackClient } from './client.ts'
import { inquiryOf, outcomeOf, readRefund, refundWords, stateOf } from './mapping.ts'

const transactionId = /^\d+$/
const pageSize = 100
const pagesLimit = 10
/** The maximum difference between Paystack's clock and ours. */
const clockSkewMs = 600_000

export const paystackRefunds = (client: PaystackClient) =>
  notedRefunds({
    listOf: (attempt) => refundsOf(client, attempt),
    send: async (attempt, { reference, amount }) => {
      const reply = await client('/refund', {
        transaction: attempt.reference,
        amount: rawNumber(amount.amountMinor.toString()),
        currency: amount.currency,
        merchant_note: reference,
      })
      return outcomeOf(reply, readRefund)
    },
    byId: async (id) => inquiryOf(await client(`/refund/${encodeURIComponent(id)}`), readRefund),
  })

async function refundsOf(client: PaystackClient, attempt: Attempt): Promise<NotedRefund[] | undefined> {
  const listed = await listRefunds(client, { attempt })
  return listed?.map(({ reference: note, providerRef, providerStatus, state }) => ({
    note,
    accepted: { kind: 'accepted', providerRef, providerStatus, state },
  }))
}

/**
 * Every refund, whoever made it; ours have our reference as their note. Undefined: the list is incomplete. Those of one
 * payment are asked for by the id of its transaction: without it a busy account would list more than can be read.
 */
export async function listRefunds(
  client: PaystackClient,
  scope: RefundScope,
): Promise<ProviderRefund[] | undefined> {
  const since = 'attempt' in scope ? scope.attempt.createdAt : scope.since
  const from = new Date(since.getTime() - clockSkewMs).toISOString()
  const transaction = 'attempt' in scope ? scope.attempt.providerRef : null
  const ofPayment = transaction !== null && transactionId.test(transaction) ? { transaction } : {}
  const found: ProviderRefund[] = []
  for (let page = 1; page <= pagesLimit; page += 1) {
    const reply = await client(withQuery('/refund', { ...ofPayment, from, perPage: pageSize, page }))
    const listed = z.object({ data: z.array(movementSchema), meta: pagesSchema }).safeParse(reply).data
    if (!listed) return undefined
    for (const row of listed.data) {
      const reference = row.transaction_reference ?? null
      if ('attempt' in scope && reference !== scope.attempt.reference) continue
      const refund = refundOf(row, reference)
      if (!refund) return undefined
      found.push(refund)
    }
    if (page >= listed.meta.pageCount) return found
  }
  return undefined
}

function refundOf(row: Movement, reference: string | null): ProviderRefund | undefined {
  const { id: providerRef, status: providerStatus, amount, currency, merchant_note: note } = row
  if (!providerRef || typeof amount !== 'bigint' || !currency) return undefined
  return {
    providerRef,
    reference: note ?? null,
    refundOf: { reference, providerRef: null },
    amount: { amountMinor: amount, currency },
    providerStatus,
    state: stateOf(refundWords, providerStatus),
  }
}
