import { isUniqueViolation } from '../../../kernel/db/errors.ts'
import { receiveDeposit } from '../../products/virtual-accounts/deposits/receive-deposit.ts'
import { insertInboxRow } from './store.ts'
import type { Arrival, DepositDeps } from '../../products/virtual-accounts/deposits/record.ts'

interface ReportedDeposit extends Omit<Arrival, 'inbox'> {
  by: 'webhook' | 'reconciliation'
}

/** Books a deposit exactly once, whether webhooks or reconciliation report it, and however often. */
export async function receiveArrival(deps: DepositDeps, { by, ...arrival }: ReportedDeposit): Promise<void> {
  const { account, deposit } = arrival
  const inbox = (result: string) =>
    insertInboxRow(account.orgId, {
      provider: account.provider,
      accountId: account.accountId,
      dedupeKey: deposit.dedupeKey,
      reference: deposit.providerRef,
      paymentId: null,
      verdict: 'verified',
      providerStatus: 'deposit',
      result: by === 'webhook' ? result : `found by reconciliation: ${result}`,
    })
  try {
    await receiveDeposit(deps, { ...arrival, inbox })
  } catch (error) {
    if (!isUniqueViolation(error, 'inbox_pkey')) throw error
  }
}
