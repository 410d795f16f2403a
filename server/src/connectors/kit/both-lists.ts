import type { Method } from './connector.ts'
import type { Direction } from './state.ts'
import type { ProviderTransaction } from './lists.ts'

interface ListedPage {
  transactions: Omit<ProviderTransaction, 'direction'>[]
  isLast: boolean
}

type ReadPage = (direction: Direction, since: Date, page: number) => Promise<ListedPage>

/** Joins a provider's paged lists of payins and payouts, payins first. A cursor is a direction and a page number. */
export const listBoth =
  (readPage: ReadPage): Method<'listTransactions'> =>
  async (since, cursor) => {
    const [, source, number = '1'] = /^(payin|payout) (\d{1,9})$/.exec(cursor ?? '') ?? []
    const direction: Direction = source === 'payout' ? 'payout' : 'payin'
    const page = Number(number)
    const { transactions, isLast } = await readPage(direction, since, page)
    const afterLast = direction === 'payin' ? 'payout 1' : null
    return {
      transactions: transactions.map((one) => ({ ...one, direction })),
      nextCursor: isLast ? afterLast : `${direction} ${page + 1}`,
    }
  }
