import { createHash, randomUUID } from 'node:crypto'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'

const SUFFIX_CHARACTERS = 24

/** The objects of a payment share the suffix of their ids: `cs_test_x`, `pi_x`, `ch_x`, `pm_x`. */
export function newSuffix(): string {
  return randomUUID().replaceAll('-', '').slice(0, SUFFIX_CHARACTERS)
}

/** The same for every key of the account. */
export const accountId = (name: string): string =>
  `acct_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`

export function suffixOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1)
}

export const intentId = (suffix: string): string => `pi_${suffix}`
export const sessionId = (suffix: string): string => `cs_test_${suffix}`
export const chargeId = (suffix: string): string => `ch_${suffix}`
export const paymentMethodId = (suffix: string): string => `pm_${suffix}`

export function isSession(transaction: Transaction): boolean {
  return transaction.providerRef.startsWith('cs_')
}

/** Finds by the id of the intent, the session or the charge. */
export function findPayment(kit: Kit, account: string, id: string): Transaction | undefined {
  const suffix = suffixOf(id)
  const found =
    kit.transactions.findByProviderRef(account, intentId(suffix)) ??
    kit.transactions.findByProviderRef(account, sessionId(suffix))
  return found?.operation === 'collect' ? found : undefined
}
