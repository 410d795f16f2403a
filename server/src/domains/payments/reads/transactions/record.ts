import type { FeeColumns } from '../fees/rules.ts'
import type { PrivateDetails } from '../../record.ts'
import type { Status } from '../../lifecycle/rules.ts'

export interface TransactionFilters {
  q: string | undefined
  statuses: readonly Status[] | undefined
  direction: string | undefined
  paymentMethod: string | undefined
  country: string | undefined
  currency: string | undefined
  provider: string | undefined
  clientReference: string | undefined
  beneficiaryId: string | undefined
  /** Decimals in the currency, which the filter then names. */
  minAmount: string | undefined
  maxAmount: string | undefined
  updatedSince: Date | undefined
  from: Date | undefined
  to: Date | undefined
}

/** A row of the transaction list. */
export interface TransactionRow extends FeeColumns {
  payment_id: string
  org_id: string
  user_id: string
  on_behalf_of: string | null
  status: string
  direction: string
  payment_method: string
  country: string
  amount_minor: string
  currency: string
  target_amount_minor: string
  target_currency: string
  provider: string | null
  client_reference: string | null
  description: string | null
  beneficiary_id: string | null
  failure_code: string | null
  failure_message: string | null
  private_sealed: Buffer
  erased_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface ListedTransaction {
  row: TransactionRow
  details: PrivateDetails
}

/** The meaning of one value of `facet`. Status and provider are known once the payment has ended. */
export interface Facet {
  text: string
  country: string
  currency: string
  direction: string
  paymentMethod: string
  ended: { status: string; provider: string } | undefined
}

/** One amount in one currency, in minor units. */
export interface AmountIn {
  currency: string
  minor: string
}

/** One way to find payments by an index. The filters apply to each; the list is the union of all. */
export type Source =
  /** Walks an index in the order of the list: by age, or of one reference, beneficiary or exact amount. */
  | { kind: 'walk'; createdFrom?: Date }
  /** Merges the facets. Those of open payments may hold others too, so status and provider are checked by row. */
  | { kind: 'facets'; ended: readonly string[]; open: readonly string[]; createdFrom?: Date }
  /** All payments of an amount range that is known to be narrow. */
  | { kind: 'amountRange' }
  /** Those created before the time and changed long after their creation; with a filter, of the facets that match. */
  | { kind: 'lateUpdates'; createdBefore: Date; facets?: readonly string[] }
  | { kind: 'amounts'; amounts: readonly AmountIn[] }
  /** Payments that have all terms, the rarest first; with facets, only the few payments of the facets are searched. */
  | { kind: 'terms'; terms: readonly bigint[]; facets?: readonly string[] }
  | { kind: 'ids'; low: string; high: string }
  /** The ids that we chose for the attempts, which providers know them by. */
  | { kind: 'attemptIds'; low: string; high: string; isOperators: boolean }
  | { kind: 'clientReferences'; prefix: string }
  | { kind: 'providerReferences'; prefix: string; isOperators: boolean }

/** What a search text can mean. */
export interface SearchMeaning {
  idRange: { low: string; high: string } | undefined
  referencePrefix: string
  email: string | undefined
  nameWords: readonly string[]
  phones: readonly string[]
  amounts: readonly AmountIn[]
}
