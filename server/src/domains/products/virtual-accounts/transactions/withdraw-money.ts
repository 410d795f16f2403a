import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { getAccount } from '../reads.ts'
import type { VirtualAccount } from '../record.ts'
import { ofEscrow, notActive } from './errors.ts'
import { withdrawalOf } from './fund-payment.ts'
import { payOut, type PayOut, type PayOutDeps } from './pay-out.ts'
import type { NewTransaction, VirtualTransaction } from './record.ts'
import { parseAmount } from './rules.ts'
import { findTransaction } from './store.ts'

/** Pays out to a beneficiary. Escrow accounts are refused: only their escrow may spend them. */
export async function withdrawMoney(
  deps: PayOutDeps,
  caller: Caller,
  input: Omit<PayOut, 'paymentId' | 'amount'> & { accountId: string; amount: number },
): Promise<VirtualTransaction> {
  const { orgId } = caller
  const account = await getAccount(deps, orgId, { accountId: input.accountId })
  if (account.accountType === 'escrow') throw ofEscrow()
  if (account.status !== 'active') throw notActive()
  parseAmount(input.amount, account.currency)
  const payment = await payOut(deps, caller, account, input)
  const { paymentId } = payment
  const written = await deps.db
    .inOrg(orgId, (tx) => findTransaction(tx, orgId, paymentId))
    .catch((error: unknown) => {
      // The withdrawal has begun, so the caller gets a response even if it cannot be read back.
      deps.log.error({ err: error, orgId, paymentId }, 'a withdrawal could not be read back')
      return pendingTransaction(account, withdrawalOf(payment, account.accountId))
    })
  if (!written) throw notFound('The transaction')
  return written
}

const pendingTransaction = (account: VirtualAccount, withdrawal: NewTransaction): VirtualTransaction => ({
  ...withdrawal,
  orgId: account.orgId,
  userId: account.userId,
  status: 'pending',
  entryNo: null,
  balanceAfterMinor: null,
  bookedAt: null,
  updatedAt: withdrawal.createdAt,
})
