import type { Connector, Direction, Network } from '../kit/connector.ts'
import { networksSchema, pagesSchema, rowsSchema } from './answers.ts'
import type { PaystackClient } from './client.ts'
import { chargeWords, failureCodeOf, stateOf, transferWords } from './mapping.ts'

const pageSize = 100
const countryNames: Readonly<Record<string, string>> = { GH: 'ghana', KE: 'kenya' }

export async function listNetworks(client: PaystackClient, country: string): Promise<Network[]> {
  const name = countryNames[country]
  if (name === undefined) return []
  const { data } = await listed(client, '/bank', { country: name, type: 'mobile_money' })
  return networksSchema.parse(data).map((bank) => ({
    network: bank.code,
    name: bank.name,
    country,
    currency: bank.currency,
    directions: ['payin', 'payout'],
    status: bank.active ? 'operational' : 'closed',
  }))
}

const sources = {
  payin: { path: '/transaction', words: chargeWords, next: 'payout 1' },
  payout: { path: '/transfer', words: transferWords, next: null },
} as const

/** First what came in, then what went out. A cursor is a direction and a page. */
export const listTransactions =
  (client: PaystackClient): NonNullable<Connector['listTransactions']> =>
  async (since, cursor) => {
    const [, source, page = '1'] = /^(payin|payout) (\d{1,9})$/.exec(cursor ?? '') ?? []
    const direction: Direction = source === 'payout' ? 'payout' : 'payin'
    const { path, words, next } = sources[direction]
    const query = { from: since.toISOString(), per_page: String(pageSize), page }
    const { data, meta } = await listed(client, path, query)
    const isLast = Number(page) >= pagesSchema.parse(meta).pageCount
    const transactions = rowsSchema.parse(data).map((row) => ({
      reference: row.reference ?? null,
      providerRef: row.transfer_code ?? row.id,
      direction,
      amount: { amountMinor: row.amount, currency: row.currency },
      providerStatus: row.status,
      state: stateOf(words, row.status, failureCodeOf(row)),
      createdAt: new Date(row.created_at ?? row.createdAt ?? since),
    }))
    return { transactions, nextCursor: isLast ? next : `${direction} ${Number(page) + 1}` }
  }

async function listed(client: PaystackClient, path: string, query: Record<string, string>) {
  const reply = await client(`${path}?${new URLSearchParams(query).toString()}`)
  if (reply.kind === 'handled') return reply
  throw new Error(`Paystack gave no list: ${'reason' in reply ? reply.reason : `HTTP ${reply.status}`}`)
}
