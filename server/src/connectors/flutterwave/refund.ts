import { readMoney, type Money } from '../../lib/money/money.ts'
import type { Attempt, RefundScope } from '../kit/connector.ts'
import { notedRefunds, type NotedRefund } from '../kit/noted-refunds.ts'
import type { ProviderRefund } from '../kit/refunds.ts'
import { refundSchema, type RefundRow } from './answers.ts'
import type { FlutterwaveClient } from './client.ts'
import { listAll, verifyCharge } from './lists.ts'
import { inquiryOf, movementState, outcomeOf, readMovement, readRefund } from './mapping.ts'
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
  const listed = await listRefunds(client, { attempt })
  return listed?.map(({ reference: note, providerRef, providerStatus, state }) => ({
    note,
    accepted: { kind: 'accepted', providerRef, providerStatus, state },
  }))
}

/** Every refund, whoever made it; ours have our reference as their comment. Undefined: the list is incomplete. */
export async function listRefunds(
  client: FlutterwaveClient,
  scope: RefundScope,
): Promise<ProviderRefund[] | undefined> {
  if ('since' in scope) {
    const rows = await listAll(
      client,
      `/refunds?from=${scope.since.toISOString().slice(0, 10)}`,
      refundSchema,
    )
    return rows?.map((row) => refundOf(row, undefined))
  }
  const id = await transactionIdOf(client, scope.attempt)
  const rows = id === undefined ? undefined : await listAll(client, `/refunds?id=${id}`, refundSchema)
  const { currency } = scope.attempt.amount
  return rows
    ?.filter(({ transaction_id }) => (transaction_id ?? id) === id)
    .map((row) => refundOf(row, readMoney(row.amount_refunded ?? '', currency)))
}

/** Flutterwave names no currency with a refund; it is that of the charge. */
const refundOf = (row: RefundRow, amount: Money | undefined): ProviderRefund => ({
  providerRef: row.id,
  reference: row.comment ?? null,
  refundOf: { reference: null, providerRef: row.transaction_id ?? null },
  amount,
  providerStatus: row.status,
  state: movementState('refund', { status: row.status, why: '' }),
})
