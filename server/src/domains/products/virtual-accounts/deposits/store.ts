import type { CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import type { SuspendedDeposit } from './record.ts'

export const insertSuspended = (
  orgId: string,
  deposit: Omit<SuspendedDeposit, 'orgId' | 'status'>,
): CompiledQuery =>
  statements
    .insertInto('suspended_deposits')
    .values({
      org_id: orgId,
      exception_id: deposit.exceptionId,
      provider: deposit.provider,
      account_id: deposit.accountId,
      provider_ref: deposit.providerRef,
      amount_minor: deposit.amountMinor.toString(),
      currency: deposit.currency,
      sender_sealed: deposit.senderSealed,
    })
    .compile()

export async function lockSuspended(
  tx: Tx,
  orgId: string,
  key: { exceptionId: string; orInstallation: boolean },
): Promise<SuspendedDeposit | undefined> {
  const row = await tx.db
    .selectFrom('suspended_deposits')
    .select([
      'org_id as orgId',
      'exception_id as exceptionId',
      'provider',
      'account_id as accountId',
      'provider_ref as providerRef',
      'amount_minor as amountMinor',
      'currency',
      'sender_sealed as senderSealed',
      'status',
    ])
    .where('org_id', 'in', key.orInstallation ? [orgId, installationOrgId] : [orgId])
    .where('exception_id', '=', key.exceptionId)
    .forUpdate()
    .executeTakeFirst()
  return (
    row && {
      ...row,
      amountMinor: BigInt(row.amountMinor),
      status: row.status as SuspendedDeposit['status'], // check constraint
    }
  )
}

export async function resolveSuspended(
  tx: Tx,
  orgId: string,
  end: { exceptionId: string; status: 'assigned' | 'returned'; transactionId: string | null; at: Date },
): Promise<void> {
  await tx.db
    .updateTable('suspended_deposits')
    .set({ status: end.status, transaction_id: end.transactionId, updated_at: end.at })
    .where('org_id', '=', orgId)
    .where('exception_id', '=', end.exceptionId)
    .execute()
}
