import { z } from 'zod'
import { rawNumber } from '../../lib/json.ts'
import type { Attempt } from '../kit/connector.ts'
import { withQuery } from '../kit/form-body.ts'
import { notedRefunds, type NotedRefund } from '../kit/noted-refunds.ts'
import { movementSchema, pagesSchema } from './answers.ts'
import type { PaystackClient } from './client.ts'
import { inquiryOf, outcomeOf, readRefund } from './mapping.ts'

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

async function refundsOf(
  client: PaystackClient,
  { reference, createdAt }: Attempt,
): Promise<NotedRefund[] | undefined> {
  const from = new Date(createdAt.getTime() - clockSkewMs).toISOString()
  const found: NotedRefund[] = []
  for (let page = 1; page <= pagesLimit; page += 1) {
    const reply = await client(withQuery('/refund', { from, perPage: pageSize, page }))
    const listed = z.object({ data: z.array(movementSchema), meta: pagesSchema }).safeParse(reply).data
    if (!listed) return undefined
    for (const row of listed.data.filter((one) => one.transaction_reference === reference)) {
      const accepted = readRefund(row)
      if (!accepted) return undefined
      found.push({ note: row.merchant_note, accepted })
    }
    if (page >= listed.meta.pageCount) return found
  }
  return undefined
}
