import { z } from 'zod'
import { rawNumber } from '../../lib/json.ts'
import type { Attempt, Connector } from '../kit/connector.ts'
import { movementSchema, pagesSchema, type Movement } from './answers.ts'
import type { PaystackClient } from './client.ts'
import { inquiryOf, outcomeOf, readRefund } from './mapping.ts'

const pageSize = 100
const pagesLimit = 10
/** Paystack's clock and ours may differ by this much. */
const clockSkewMs = 600_000

/** Paystack takes no reference for a refund and refunds twice what is sent twice: ours goes into the note. */
export const refundPayment =
  (client: PaystackClient): NonNullable<Connector['refund']> =>
  async (attempt, { reference, amount }) => {
    const refunds = await refundsOf(client, attempt)
    if (!refunds) return { kind: 'not_sent', reason: 'the refunds so far could not be looked through' }
    const known = refunds.find((one) => one.merchant_note === reference)
    if (known) return outcomeOf({ kind: 'handled', data: known, meta: null }, readRefund)
    const reply = await client('/refund', {
      transaction: attempt.reference,
      amount: rawNumber(amount.amountMinor.toString()),
      currency: amount.currency,
      merchant_note: reference,
    })
    return outcomeOf(reply, readRefund)
  }

/** "Not found" only if each refund of the payment is another one of ours: a note may have got lost. */
export const inquireRefund =
  (client: PaystackClient): NonNullable<Connector['inquireRefund']> =>
  async (attempt, { reference, providerRef }) => {
    if (providerRef !== null) {
      return inquiryOf(await client(`/refund/${encodeURIComponent(providerRef)}`), readRefund)
    }
    const refunds = await refundsOf(client, attempt)
    const found = refunds?.find((one) => one.merchant_note === reference)
    if (found) return inquiryOf({ kind: 'handled', data: found, meta: null }, readRefund)
    if (refunds?.every((one) => z.uuid().safeParse(one.merchant_note).success)) return { kind: 'not_found' }
    return { kind: 'unknown', reason: 'the refunds of the payment cannot be told apart' }
  }

/** Undefined: they could not all be seen. */
async function refundsOf(
  client: PaystackClient,
  { reference, createdAt }: Attempt,
): Promise<Movement[] | undefined> {
  const from = new Date(createdAt.getTime() - clockSkewMs).toISOString()
  const found: Movement[] = []
  for (let page = 1; page <= pagesLimit; page += 1) {
    const query = new URLSearchParams({ from, perPage: String(pageSize), page: String(page) })
    const reply = await client(`/refund?${query.toString()}`)
    const listed = z.object({ data: z.array(movementSchema), meta: pagesSchema }).safeParse(reply).data
    if (!listed) return undefined
    found.push(...listed.data.filter((row) => row.transaction_reference === reference))
    if (page >= listed.meta.pageCount) return found
  }
  return undefined
}
