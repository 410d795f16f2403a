import type { Custody } from '../../../kernel/ledger/available.ts'
import type { Transfer } from '../../../kernel/ledger/transfers.ts'
import type { AccountKind } from './rules.ts'

export interface StoredTransfer extends Transfer {
  orgId: string
  createdAt: Date
}

export interface TransferFilters {
  accountKind: AccountKind | undefined
  /** The name of one account, as in `debit` and `credit`. */
  account: string | undefined
  paymentId: string | undefined
  currency: string | undefined
  custody: Custody | undefined
  from: Date | undefined
  to: Date | undefined
}
