import { listBoth } from '../kit/both-lists.ts'
import type { Connector, Network } from '../kit/connector.ts'
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
  payin: { path: '/transaction', words: chargeWords },
  payout: { path: '/transfer', words: transferWords },
} as const

export const listTransactions = (client: PaystackClient): NonNullable<Connector['listTransactions']> =>
  listBoth(async (direction, since, page) => {
    const { path, words } = sources[direction]
    const query = { from: since.toISOString(), per_page: String(pageSize), page: String(page) }
    const { data, meta } = await listed(client, path, query)
    const transactions = rowsSchema.parse(data).map((row) => ({
      reference: row.reference ?? null,
      providerRef: row.transfer_code ?? row.id,
      amount: { amountMinor: row.amount, currency: row.currency },
      providerStatus: row.status,
      state: stateOf(words, row.status, failureCodeOf(row)),
      createdAt: new Date(row.created_at ?? row.createdAt ?? since),
    }))
    return { transactions, isLast: page >= pagesSchema.parse(meta).pageCount }
  })

async function listed(client: PaystackClient, path: string, query: Record<string, string>) {
  const reply = await client(`${path}?${new URLSearchParams(query).toString()}`)
  if (reply.kind === 'handled') return reply
  throw new Error(`Paystack gave no list: ${'reason' in reply ? reply.reason : `HTTP ${reply.status}`}`)
}
