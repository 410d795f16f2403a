import type { Custody } from '../../../kernel/ledger/available.ts'
import { account, type Transfer } from '../../../kernel/ledger/transfers.ts'

/** The accounts of each kind, as SQL patterns. */
export const accountPatterns = {
  available: 'available%',
  outgoing: account.outgoing,
  opening: account.opening,
  fees: account.fees,
  fees_due: account.feesDue,
  provider_costs: account.providerCosts,
  suspense: account.suspense,
  virtual: `${account.virtual('%')}`,
  ramps: account.ramps,
  provider: account.provider('%', null),
  exchange: 'fx:%',
} as const
export type AccountKind = keyof typeof accountPatterns
export const accountKinds = Object.keys(accountPatterns) as [AccountKind, ...AccountKind[]] // the keys of the object above

const custodies: readonly Custody[] = ['pooled', 'own']

/** The spendable balance that a transfer changes; undefined when it changes none. */
export const custodyOf = ({ debit, credit }: Pick<Transfer, 'debit' | 'credit'>): Custody | undefined =>
  custodies.find((custody) => [debit, credit].includes(account.available(custody)))
