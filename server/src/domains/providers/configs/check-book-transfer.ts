import type { Database } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { toRate } from '../../../lib/money/decimal.ts'
import { formatMinor, type Money } from '../../../lib/money/money.ts'
import { bookTransferNotAllowed } from './errors.ts'
import type { ProviderConfig } from './record.ts'
import { selectBookTransfers } from './store.ts'

/**
 * Book transfers need no configuration. Where the operator or the organisation has one for `wallet` in the country, an
 * active one of each must allow the amount, so that an organisation can narrow what the operator allows.
 */
export async function assertBookTransferAllowed(
  deps: { db: Database },
  orgId: string,
  { country, amount }: { country: string; amount: Money },
): Promise<void> {
  const configs = await deps.db.inOrg(orgId, (tx) => selectBookTransfers(tx, orgId, country))
  for (const owner of [installationOrgId, orgId]) {
    const owned = configs.filter((config) => config.orgId === owner)
    if (owned.length > 0 && !owned.some((config) => allows(config, amount))) throw bookTransferNotAllowed()
  }
}

function allows({ isActive, minAmount, maxAmount }: ProviderConfig, amount: Money): boolean {
  const major = toRate(formatMinor(amount.amountMinor, amount.currency))
  return (
    isActive && !(minAmount !== null && major.lt(minAmount)) && !(maxAmount !== null && major.gt(maxAmount))
  )
}
