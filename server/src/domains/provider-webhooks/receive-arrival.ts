import { isUniqueViolation } from '../../db/errors.ts'
import { receiveDeposit } from '../virtual-accounts/deposits/receive-deposit.ts'
import { insertInboxRow } from './store.ts'
import type { Arrival, DepositDeps } from '../virtual-accounts/deposits/record.ts'

export interface DepositNews extends Omit<Arrival, 'inbox'> {
  by: 'webhook' | 'reconciliation'
}

/** Books a deposit once, however often and in whatever way we hear of it. */
export async function receiveArrival(deps: DepositDeps, { by, ...news }: DepositNews): Promise<void> {
  const { ownerId, provider, deposit } = news
  const inbox = (result: string) =>
    insertInboxRow(ownerId, {
      provider,
      dedupeKey: deposit.dedupeKey,
      reference: deposit.providerRef,
      paymentId: null,
      verdict: 'verified',
      providerStatus: 'deposit',
      result: by === 'webhook' ? result : `listed, and never told: ${result}`,
    })
  try {
    await receiveDeposit(deps, { ...news, inbox })
  } catch (error) {
    if (!isUniqueViolation(error, 'inbox_pkey')) throw error
  }
}
