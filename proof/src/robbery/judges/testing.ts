import type { Transaction } from '@switchyard/simulator/core/transaction.ts'
import type { Evidence, Movement } from '../evidence.ts'
import { installationAccount } from '../own-keys.ts'

/** A completed payin of 100.00 KES at the installation's pawaPay. */
export const transaction = (change: Partial<Transaction> = {}): Transaction => ({
  provider: 'pawapay',
  account: installationAccount,
  operation: 'collect',
  reference: 'ref-in',
  providerRef: 'provider-in',
  method: 'mobile_money',
  amount: '100.00',
  currency: 'KES',
  state: 'completed',
  webhooks: 'once',
  plan: [],
  details: {},
  createdAt: '2026-11-16T00:00:00.000Z',
  updatedAt: '2026-11-16T00:00:00.000Z',
  ...change,
})

/** Our record of it. */
export const movement = (change: Partial<Movement> = {}): Movement => ({
  orgId: 'thief',
  paymentId: 'payment-in',
  kind: 'payin',
  legKind: null,
  provider: 'pawapay',
  reference: 'ref-in',
  state: 'succeeded',
  accountId: 'account-pooled',
  custody: 'pooled',
  booked: { currency: 'KES', minor: 100_00n },
  carried: { currency: 'KES', minor: 100_00n },
  startedBy: 'ann',
  ...change,
})

export const payout = (change: Partial<Transaction> = {}): Transaction =>
  transaction({ operation: 'payout', reference: 'ref-out', providerRef: 'provider-out', ...change })

export const payoutOf = (change: Partial<Movement> = {}): Movement =>
  movement({ kind: 'payout', paymentId: 'payment-out', reference: 'ref-out', ...change })

/** What left is derived from the transactions, as when both are read at the same moment. */
export const evidence = (change: Partial<Omit<Evidence, 'sent'>>): Evidence => ({
  movements: [],
  balances: [],
  limits: [],
  credits: [],
  confirmations: [],
  messages: [],
  exceptions: [],
  audit: [],
  startedBy: new Map(),
  operators: { known: [], added: [], limits: [], waived: [], adjusted: [], schedules: [] },
  refundCosts: [],
  tokens: [],
  transactions: [],
  ...change,
  sent: (change.transactions ?? []).filter(({ operation }) => operation !== 'collect'),
})
