import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('en')

export const reconciliation = {
  title: 'Reconciliation',
  provider: 'Provider',
  status: 'Status',
  statuses: { completed: 'Compared', failed: 'Failed' },
  origin: 'Run',
  origins: { nightly: 'Nightly', requested: 'Requested by' },
  since: 'Since',
  checked: 'Compared',
  findings: 'Differences',
  finished: 'Finished',
  empty: 'No comparisons yet',
  emptyText:
    'Every night, your payments are compared with the transaction lists of the providers that were used.',
  run: {
    button: 'Compare now',
    title: 'Compare with a provider now',
    text: 'Differences become exceptions. No payment is sent again.',
    since: 'Payments since',
  },
  result: 'Result of the comparison',
  none: (count: number) =>
    plural(count, {
      one: '# payment compared, no differences found.',
      other: '# payments compared, no differences found.',
    }),
  kind: 'Difference',
  reference: 'Reference',
  summary: 'What was found',
  openExceptions: 'Open exceptions',
} as const
