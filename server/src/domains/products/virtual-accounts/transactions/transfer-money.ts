import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { getOrganizationById } from '../../../people/organizations/reads.ts'
import { assertBookTransferAllowed } from '../../../providers/configs/check-book-transfer.ts'
import { getAccount } from '../reads.ts'
import type { OpenedVirtualAccount } from '../record.ts'
import {
  asRefusal,
  noSuchTarget,
  notActive,
  ofEscrow,
  otherCurrency,
  otherCustody,
  sameAccount,
} from './errors.ts'
import { moveMoney } from './move-money.ts'
import type { VirtualTransaction } from './record.ts'
import { parseAmount } from './rules.ts'
import { findTransaction } from './store.ts'

interface TransferDeps {
  db: Database
  vault: Vault
  clock: Clock
}

interface BookTransfer {
  accountId: string
  toAccountId: string
  amount: number
  description: string | null
  reference: string | null
}

/** Moves money between two accounts of the organisation immediately, and returns the debit. */
export async function transferMoney(
  deps: TransferDeps,
  caller: Caller,
  input: BookTransfer,
): Promise<VirtualTransaction> {
  const { orgId } = caller
  if (input.accountId === input.toAccountId) throw sameAccount()
  const from = await getAccount(deps, orgId, { accountId: input.accountId })
  const to = await getAccount(deps, orgId, { accountId: input.toAccountId }).catch(asUnknownTarget)
  if (from.accountType === 'escrow' || to.accountType === 'escrow') throw ofEscrow()
  if (to.currency !== from.currency) throw otherCurrency('to_account_id', to.currency)
  if (to.custody !== from.custody) throw otherCustody()
  if (to.status !== 'active') throw notActive()
  const amount = { amountMinor: parseAmount(input.amount, from.currency), currency: from.currency }
  const { country } = await getOrganizationById(deps, orgId)
  await assertBookTransferAllowed(deps, orgId, { country, amount })
  const moveId = newId()
  const move = {
    moveId,
    fromAccountId: from.accountId,
    toAccountId: to.accountId,
    amount,
    description: input.description ?? 'Transfer',
    reference: input.reference ?? moveId,
    at: deps.clock.now(),
  }
  const work = deps.db.inOrg(orgId, async (tx) => {
    await moveMoney(tx, orgId, move)
    await recordAudit(tx, caller, orgId, {
      action: 'virtual-account.transfer',
      resourceType: 'virtual-account',
      resourceId: from.accountId,
      after: { transaction_id: moveId, to_account_id: to.accountId },
    })
    return findTransaction(tx, orgId, moveId)
  })
  const written = await work.catch(asRefusal)
  if (!written) throw notFound('The transaction')
  return written
}

/** An unknown target account, or another organisation's, is reported as an invalid field. */
function asUnknownTarget(error: unknown): OpenedVirtualAccount {
  throw error instanceof AppError && error.status === 404 ? noSuchTarget() : error
}
