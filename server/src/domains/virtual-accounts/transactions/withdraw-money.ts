import type { Caller } from '../../../lib/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { getAccount } from '../get-account.ts'
import { ofEscrow, notActive } from './errors.ts'
import { payOut, type PayOut, type PayOutDeps } from './pay-out.ts'
import type { VirtualTransaction } from './record.ts'
import { parseAmount } from './rules.ts'
import { findTransaction } from './store.ts'

/** Pays out to a beneficiary. Escrow accounts are refused: only their escrow may spend them. */
export async function withdrawMoney(
  deps: PayOutDeps,
  caller: Caller,
  input: Omit<PayOut, 'paymentId'> & { accountId: string },
): Promise<VirtualTransaction> {
  const { orgId } = caller
  const account = await getAccount(deps, orgId, { accountId: input.accountId })
  if (account.accountType === 'escrow') throw ofEscrow()
  if (account.status !== 'active') throw notActive()
  parseAmount(input.amount, account.currency)
  const paymentId = await payOut(deps, caller, account, input)
  const written = await deps.db.inOrg(orgId, (tx) => findTransaction(tx, orgId, paymentId))
  if (!written) throw notFound('The transaction')
  return written
}
