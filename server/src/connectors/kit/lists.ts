import type { Money } from '../../lib/money/money.ts'
import type { ProviderDeposit } from './accounts.ts'
import type { Direction, ProviderState } from './state.ts'

export interface Network {
  /** The provider network code. Callers use one name for a network across all providers. */
  network: string
  name: string
  country: string
  currency: string
  directions: readonly Direction[]
  minAmount?: string | undefined
  maxAmount?: string | undefined
  status: 'operational' | 'delayed' | 'closed'
}

export interface Bank {
  /** The value that callers send as `bank_code`. */
  code: string
  name: string
  country: string
}

export interface ProviderTransaction {
  reference: string | null
  providerRef: string
  direction: Direction
  amount: Money
  providerStatus: string
  state: ProviderState
  createdAt: Date
  /** Present for a deposit to an account that the provider opened for us. */
  deposit?: ProviderDeposit | undefined
}

export interface TransactionPage {
  transactions: ProviderTransaction[]
  nextCursor: string | null
}
