import type { RefundScope } from '../kit/connector.ts'
import { withQuery } from '../kit/form-body.ts'
import type { TransactionPage } from '../kit/lists.ts'
import type { ProviderRefund } from '../kit/refunds.ts'
import { readData } from '../kit/replies.ts'
import { refundsSchema, rowsSchema, type Row } from './answers.ts'
import type { TruelayerClient } from './client.ts'
import { accountOf, type TruelayerCredentials } from './credentials.ts'
import { stateOf } from './mapping.ts'

export interface Listing {
  client: TruelayerClient
  credentials: TruelayerCredentials
  until: Date
}

const pagesLimit = 1_000

export const paymentPath = (id: string): string => `/v3/payments/${encodeURIComponent(id)}`

/** Every refund of a payment, or every refund on the statements. Undefined: the list is incomplete. */
export async function listRefunds(
  listing: Listing,
  scope: RefundScope,
): Promise<ProviderRefund[] | undefined> {
  if ('since' in scope) return listStatedRefunds(listing, scope.since)
  const { providerRef: paymentId } = scope.attempt
  if (paymentId === null) return undefined
  const { items } = readData(await listing.client(`${paymentPath(paymentId)}/refunds`), refundsSchema) ?? {}
  return items?.map((item) => ({
    providerRef: item.id,
    reference: item.metadata?.reference ?? null,
    refundOf: { reference: null, providerRef: paymentId },
    amount: { amountMinor: BigInt(item.amount_in_minor), currency: item.currency },
    providerStatus: item.status,
    state: stateOf('refund', item.status, item.failure_reason),
  }))
}

async function listStatedRefunds(listing: Listing, since: Date): Promise<ProviderRefund[] | undefined> {
  const refunds: ProviderRefund[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesLimit; page += 1) {
    const { rows, nextCursor } = await readStatement(listing, since, cursor)
    refunds.push(...rows.flatMap(refundOf))
    if (nextCursor === null) return refunds
    cursor = nextCursor
  }
  return undefined
}

/** A statement names the refund and its payment, and has no metadata. */
function refundOf(row: Row): ProviderRefund[] {
  const { type, refund_id: providerRef, payment_id: paymentId, currency, status: providerStatus } = row
  if (type !== 'refund' || !providerRef || !paymentId) return []
  return [
    {
      providerRef,
      reference: null,
      refundOf: { reference: null, providerRef: paymentId },
      amount: { amountMinor: BigInt(row.amount_in_minor), currency },
      providerStatus,
      state: stateOf('refund', providerStatus, null),
    },
  ]
}

export async function listTransactions(
  listing: Listing,
  since: Date,
  cursor: string | null,
): Promise<TransactionPage> {
  const { rows, nextCursor } = await readStatement(listing, since, cursor)
  return { transactions: rows.flatMap((row) => transactionOf(row, since)), nextCursor }
}

/** Reads one merchant account after the other. A cursor is a currency and TrueLayer's cursor. */
async function readStatement(
  { client, credentials, until }: Listing,
  since: Date,
  cursor: string | null,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const currencies = Object.keys(credentials.merchantAccounts)
  const [currency = '', own = ''] = (cursor ?? currencies[0] ?? '').split(' ')
  const account = encodeURIComponent(accountOf(credentials, currency) ?? '')
  const window = { from: since.toISOString(), to: until.toISOString(), ...(own !== '' && { cursor: own }) }
  const page = readData(
    await client(withQuery(`/v3/merchant-accounts/${account}/transactions`, window)),
    rowsSchema,
  )
  if (!page) throw new Error('TrueLayer returned no list of transactions')
  const next = page.pagination?.next_cursor
  const following = currencies[currencies.indexOf(currency) + 1] ?? null
  return { rows: page.items, nextCursor: next ? `${currency} ${next}` : following }
}

/** External deposits and refunds are not payments. */
function transactionOf(row: Row, since: Date): TransactionPage['transactions'] {
  const isPayin = row.type === 'merchant_account_payment'
  const providerRef = isPayin ? row.payment_id : row.payout_id
  if (!providerRef || !(isPayin || row.type.endsWith('_payout'))) return []
  const direction = isPayin ? 'payin' : 'payout'
  const { status: providerStatus, currency } = row
  const amount = { amountMinor: BigInt(row.amount_in_minor), currency }
  const createdAt = new Date(row.settled_at ?? row.created_at ?? since)
  const state = stateOf(direction, providerStatus, null)
  return [{ reference: null, providerRef, direction, amount, providerStatus, state, createdAt }]
}
