import type { Connector } from '../../../../connectors/kit/connector.ts'
import type { ProviderTransaction } from '../../../../connectors/kit/lists.ts'
import type { Tx } from '../../../../kernel/db/database.ts'
import { countCompared } from '../count-compared.ts'
import { findAttempts, findKnownElsewhere } from '../match-transactions.ts'
import type { ComparedAccount, Comparison, OwnAttempt, Tally } from '../record.ts'
import { compare, isJustEnded, knownElsewhere, missingHere } from '../rules.ts'
import type { ListedTransaction, ListProgress } from './record.ts'
import { deleteListed, insertListed } from './store.ts'

const chunkSize = 5_000
/** The largest integer of the column. */
const lastPart = 2 ** 31 - 1
/** Read in one go, which takes a provider that needs a second for each a few minutes. */
const pagesPerPiece = 200

/**
 * Reads on in the provider's list, counts what matches no attempt, and records the rest for the comparison, because the
 * transactions of an attempt may be anywhere in the list. What an earlier try has recorded of this piece is replaced.
 */
export async function recordListed(
  { account, connector, inScope }: ComparedAccount,
  comparison: Comparison,
  { from, tally }: { from: ListProgress; tally: Tally },
): Promise<ListProgress> {
  const { comparisonId, until } = comparison
  const { ownerId } = account
  await inScope((tx) => deleteListed(tx, ownerId, { comparisonId, from: from.recorded, to: lastPart }))
  let { recorded } = from
  let last = from.cursor
  for await (const { transactions, cursor } of readChunks(connector, comparison.since, from.cursor)) {
    const { attempts, elsewhere } = await inScope((tx) => matchChunk(tx, account, comparison, transactions))
    const listed: ListedTransaction[] = []
    for (const one of transactions) {
      const attempt = attempts.get(one)
      if (attempt) listed.push(toListed(one, attempt, { until, partNo: recorded++ }))
      else if (one.createdAt < until)
        countCompared(tally, ownerId, elsewhere.has(one) ? knownElsewhere(one) : missingHere(one))
    }
    if (listed.length > 0) await inScope((tx) => insertListed(tx, ownerId, comparisonId, listed))
    last = cursor
  }
  return { cursor: last, recorded }
}

async function* readChunks(
  connector: Connector,
  since: Date,
  first: string | null,
): AsyncGenerator<{ transactions: ProviderTransaction[]; cursor: string | null }> {
  let transactions: ProviderTransaction[] = []
  let cursor = first
  for (let page = 1; page <= pagesPerPiece; page++) {
    const found = await connector.listTransactions?.(since, cursor)
    transactions.push(...(found?.transactions ?? []))
    cursor = found?.nextCursor ?? null
    if (transactions.length >= chunkSize || cursor === null || page === pagesPerPiece) {
      yield { transactions, cursor }
      transactions = []
    }
    if (cursor === null) return
  }
}

async function matchChunk(
  tx: Tx,
  account: ComparedAccount['account'],
  { since }: Comparison,
  transactions: readonly ProviderTransaction[],
) {
  const attempts = await findAttempts(tx, account, { since, transactions })
  const rest = transactions.filter((one) => !attempts.has(one))
  return { attempts, elsewhere: await findKnownElsewhere(tx, account, rest) }
}

function toListed(
  one: ProviderTransaction,
  attempt: OwnAttempt,
  { until, partNo }: { until: Date; partNo: number },
): ListedTransaction {
  const isSkipped = one.createdAt >= until || isJustEnded(attempt, until)
  const { reference, orgId } = attempt
  const verdict = isSkipped ? 'skipped' : compare([one], attempt) ? 'differs' : 'agrees'
  return { partNo, reference, orgId, verdict, part: one }
}
