import type { Custody } from '../../../kernel/ledger/available.ts'
import { account } from '../../../kernel/ledger/transfers.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { Approver } from '../../people/change-requests/record.ts'

/** The custody of an account's amount; null for an account that is the counterpart of both. */
export type AccountCustody = Custody | null

const custodies: ReadonlyMap<string, AccountCustody> = new Map<string, AccountCustody>([
  [account.available('pooled'), 'pooled'],
  [account.available('own'), 'own'],
  [account.fees, 'pooled'],
  [account.opening, null],
])

/** Undefined for an account that cannot be adjusted, or that is a provider's. */
export const custodyOf = (name: string): AccountCustody | undefined => custodies.get(name)

const providerPattern = /^provider:([a-z0-9-]+):([0-9a-f-]{36})$/

export function readProviderAccount(name: string): { provider: string; accountId: string } | undefined {
  const [, provider, accountId] = providerPattern.exec(name) ?? []
  return provider !== undefined && accountId !== undefined && isUuid(accountId)
    ? { provider, accountId }
    : undefined
}

/** Own money is the organisation's to correct. Everything else is in the operator's books. */
export const approverFor = (debit: AccountCustody, credit: AccountCustody): Approver =>
  debit === 'own' || credit === 'own' ? 'administrator' : 'operator'

export const isOneCustody = (debit: AccountCustody, credit: AccountCustody): boolean =>
  debit === null || credit === null || debit === credit
