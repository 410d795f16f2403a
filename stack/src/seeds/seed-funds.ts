import { updateKyb } from '@switchyard/server/domains/people/organizations/update-kyb.ts'
import { account, insertTransfers, posted } from '@switchyard/server/kernel/ledger/transfers.ts'
import { newId } from '@switchyard/server/lib/ids.ts'
import { exponentOf } from '@switchyard/server/lib/money/money.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'

/** The currencies of the seeded corridors. */
const currencies = ['EUR', 'GBP', 'GHS', 'KES', 'NGN', 'RWF', 'TZS', 'UGX', 'USD', 'XOF', 'ZAR', 'ZMW']
const defaultAmount = 10_000_000n

/** Marks the organisation as verified and credits its balances. */
export async function seedFunds(deps: Pick<Deps, 'db'>, orgId: string, amount?: bigint): Promise<void> {
  await deps.db.inOrg(orgId, (tx) => updateKyb(tx, orgId, { status: 'approved', customerId: newId() }))
  await creditOpenings(deps, orgId, amount)
}

/** Credits the amount, in whole units, to the organisation's balance in every currency. */
export async function creditOpenings(
  deps: Pick<Deps, 'db'>,
  orgId: string,
  amount: bigint = defaultAmount,
): Promise<void> {
  const openings = currencies.map((currency) =>
    posted({
      causeId: newId(),
      kind: 'opening',
      debit: account.opening,
      credit: account.available('pooled'),
      currency,
      amountMinor: amount * 10n ** BigInt(exponentOf(currency)),
    }),
  )
  await deps.db.batchInOrg(orgId, [insertTransfers(orgId, openings)])
}
