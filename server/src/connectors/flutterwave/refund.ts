import type { Attempt } from '../kit/connector.ts'
import { notedRefunds, type NotedRefund } from '../kit/noted-refunds.ts'
import { refundSchema } from './answers.ts'
import type { FlutterwaveClient } from './client.ts'
import { listAll, verifyCharge } from './lists.ts'
import { inquiryOf, outcomeOf, readMovement, readRefund } from './mapping.ts'
import { moneyFields } from './requests.ts'

export const flutterwaveRefunds = (client: FlutterwaveClient) =>
  notedRefunds({
    listOf: (attempt) => refundsOf(client, attempt),
    send: async (attempt, { reference, amount }) => {
      const id = await transactionIdOf(client, attempt)
      if (id === undefined) return { kind: 'not_sent', reason: 'the payment could not be looked up' }
      const body = { amount: moneyFields(amount).amount, comments: reference }
      return outcomeOf(await client(`/transactions/${id}/refund`, body), readRefund)
    },
    byId: async (id) => inquiryOf(await client(`/refunds/${encodeURIComponent(id)}`), readRefund),
  })

/** The transaction id that refunds require. The reference that we store for hosted pages is no such id. */
async function transactionIdOf(client: FlutterwaveClient, attempt: Attempt): Promise<string | undefined> {
  const charge = inquiryOf(await verifyCharge(client, attempt), readMovement(attempt))
  return charge.kind === 'accepted' ? (charge.providerRef ?? undefined) : undefined
}

async function refundsOf(client: FlutterwaveClient, attempt: Attempt): Promise<NotedRefund[] | undefined> {
  const id = await transactionIdOf(client, attempt)
  const rows = id === undefined ? undefined : await listAll(client, `/refunds?id=${id}`, refundSchema)
  return rows
    ?.filter(({ transaction_id }) => (transaction_id ?? id) === id)
    .flatMap((row) => {
      const accepted = readRefund(row)
      return accepted ? [{ note: row.comment, accepted }] : []
    })
}
