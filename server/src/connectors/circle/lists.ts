import type { Connector } from '../kit/connector.ts'
import { movementSchema } from './answers.ts'
import { paths, readPage, type CircleClient } from './client.ts'
import { isFromChain, nameOf, readMoney, stateOf } from './mapping.ts'

const lists = [
  { path: paths.deposits, query: { type: 'wire' }, direction: 'payin', currencies: ['USD', 'EUR'] },
  { path: paths.payouts, query: {}, direction: 'payout', currencies: ['USD', 'EUR'] },
  { path: paths.transfers, query: {}, direction: 'payout', currencies: ['USDC', 'EURC'] },
] as const

/** Joins several lists. A cursor is the number of a list and the last row of the previous page. */
export const listTransactions =
  (client: CircleClient): NonNullable<Connector['listTransactions']> =>
  async (since, cursor) => {
    const [index = '0', after] = cursor?.split(' ') ?? []
    const list = lists[Number(index)]
    const query = { ...list?.query, from: since.toISOString(), ...(after && { pageAfter: after }) }
    const page = list && (await readPage(client, list.path, movementSchema, query))
    if (!page) throw new Error('Circle returned no list')
    const transactions = page.rows.flatMap((row) => {
      const amount = list.currencies.map((currency) => readMoney(row, currency)).find((money) => money)
      const direction = isFromChain(row) ? 'payin' : list.direction
      const createdAt = new Date(row.createDate ?? since)
      const words = { providerRef: nameOf(row), providerStatus: row.status, state: stateOf(row) }
      return amount ? [{ reference: null, ...words, direction, amount, createdAt }] : []
    })
    const next = Number(index) + 1 < lists.length ? `${Number(index) + 1}` : null
    return { transactions, nextCursor: page.isLast ? next : `${index} ${page.rows.at(-1)?.id ?? ''}` }
  }
