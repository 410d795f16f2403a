import { creditOf } from '../../server/src/domains/deposits/credit-deposit.ts'
import { openAccount } from '../../server/src/domains/virtual-accounts/open-account.ts'
import { account } from '../../server/src/ledger/transfers.ts'
import type { Caller } from '../../server/src/lib/access.ts'
import { newId } from '../../server/src/lib/ids.ts'
import type { Deps } from '../../server/src/main/deps.ts'

/** An account that the simulated bank opened, with a deposit in it: no api listens yet that a webhook could reach. */
export async function seedAccounts(deps: Deps, caller: Caller): Promise<void> {
  const { orgId, userId } = caller
  const { accountId, provider } = await openAccount(deps, caller, {
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
    source: account.provider(provider),
    description: 'Repayments of October',
    reference: 'october',
    at: deps.clock.now(),
  })
  await deps.db.batchInOrg(orgId, deposit)
}
