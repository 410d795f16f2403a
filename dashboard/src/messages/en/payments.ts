import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('en')

export const payments = {
  title: 'Payments',
  search: 'Search',
  searchHint: 'ID, reference, name, email, amount',
  country: 'Country',
  minAmount: 'Minimum amount',
  maxAmount: 'Maximum amount',
  from: 'Created from',
  to: 'Created to',
  updatedSince: 'Changed since',
  party: 'Payer or recipient',
  status: 'Status',
  direction: 'Direction',
  method: 'Method',
  currency: 'Currency',
  reference: 'Reference',
  created: 'Created',
  amount: 'Amount',
  provider: 'Provider',
  noProvider: 'not routed',
  empty: 'No payments yet',
  emptyText: 'Payments appear here as soon as your integration or a payment link initiates one.',
  newPayments: (count: number) => plural(count, { one: 'Show # new payment', other: 'Show # new payments' }),
} as const
