import { Readable } from 'node:stream'
import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { csvText } from '../../../../lib/text/csv.ts'
import { formatMinor } from '../../../../lib/money/money.ts'
import { getAccount } from '../reads.ts'
import type { Period, VirtualTransaction } from './record.ts'
import { selectEntries } from './store.ts'

const pageSize = 500

const columns = [
  'entry_no',
  'booked_at',
  'transaction_id',
  'type',
  'amount',
  'currency',
  'balance_after',
  'description',
  'payment_rail',
  'reference',
  'status',
]

/** Streams the statement as CSV page by page, so that memory use does not grow with its length. */
export async function exportStatement(
  deps: { db: Database; vault: Vault },
  { orgId }: Caller,
  period: Period,
): Promise<Readable> {
  await getAccount(deps, orgId, { accountId: period.accountId })
  async function* pages(): AsyncGenerator<Record<string, unknown>[]> {
    let afterEntry = 0
    for (;;) {
      const at = { ...period, afterEntry, limit: pageSize }
      const page = await deps.db.inOrg(orgId, (tx) => selectEntries(tx, orgId, at))
      yield page.map(toRow)
      if (page.length < pageSize) return
      afterEntry = page.at(-1)?.entryNo ?? afterEntry
    }
  }
  return Readable.from(csvText(columns, pages()))
}

const toRow = (entry: VirtualTransaction): Record<string, unknown> => ({
  entry_no: entry.entryNo,
  booked_at: entry.bookedAt?.toISOString(),
  transaction_id: entry.transactionId,
  type: entry.type,
  amount: formatMinor(entry.amountMinor, entry.currency),
  currency: entry.currency,
  balance_after: formatMinor(entry.balanceAfterMinor ?? 0n, entry.currency),
  description: entry.description,
  payment_rail: entry.paymentRail,
  reference: entry.reference,
  status: entry.status,
})
