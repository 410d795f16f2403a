import { creditOf } from '@switchyard/server/domains/products/virtual-accounts/deposits/credit-deposit.ts'
import { openAccount } from '@switchyard/server/domains/products/virtual-accounts/open-account.ts'
import { account } from '@switchyard/server/kernel/ledger/transfers.ts'
import type { Caller } from '@switchyard/server/lib/requests/access.ts'
import { newId } from '@switchyard/server/lib/ids.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'

/** Opens an account at the simulated bank and credits a deposit directly, since no api can receive the webhook yet. */
export async function seedAccounts(deps: Deps, caller: Caller): Promise<void> {
  const { orgId, userId } = caller
  const { accountId, provider, providerAccountId } = await openAccount(deps, caller, {
    orgId,
    userId,
    customerId: 'customer-1001',
    name: 'Lagos Lending Collections',
    currency: 'NGN',
  })
  const deposit = creditOf(orgId, {
    transactionId: newId(),
    accountId,
    amount: { amountMinor: 250_000_00n, currency: 'NGN' },
    source: account.provider(provider, providerAccountId),
    description: 'Repayments of October',
    reference: 'october',
    at: deps.clock.now(),
  })
  await deps.db.batchInOrg(orgId, deposit)
}
