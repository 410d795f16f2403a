import { Readable } from 'node:stream'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { formatMinor } from '../../lib/money.ts'
import { getAccount } from '../virtual-accounts/get-account.ts'
import { csvCell } from './rules.ts'
import { selectEntries, type Period, type VirtualTransaction } from './store.ts'

const pageSize = 500

const header =
  'entry_no,booked_at,transaction_id,type,amount,currency,balance_after,description,payment_rail,reference,status'

/** The statement as CSV. Read page by page as the caller takes it, so that its length costs no memory. */
export async function exportStatement(
  deps: { db: Database; vault: Vault },
  { orgId }: Caller,
  period: Period,
): Promise<Readable> {
  await getAccount(deps, orgId, { accountId: period.accountId })
  async function* lines(): AsyncGenerator<string> {
    yield `${header}\r\n`
    let afterEntry = 0
    for (;;) {
      const at = { ...period, afterEntry, limit: pageSize }
      const page = await deps.db.inOrg(orgId, (tx) => selectEntries(tx, orgId, at))
      if (page.length > 0) yield page.map(toLine).join('')
      if (page.length < pageSize) return
      afterEntry = page.at(-1)?.entryNo ?? afterEntry
    }
  }
  return Readable.from(lines())
}

const toLine = (entry: VirtualTransaction): string =>
  `${[
    String(entry.entryNo),
    entry.bookedAt?.toISOString() ?? '',
    entry.transactionId,
    entry.type,
    formatMinor(entry.amountMinor, entry.currency),
    entry.currency,
    formatMinor(entry.balanceAfterMinor ?? 0n, entry.currency),
    csvCell(entry.description),
    entry.paymentRail,
    csvCell(entry.reference),
    entry.status,
  ].join(',')}\r\n`
