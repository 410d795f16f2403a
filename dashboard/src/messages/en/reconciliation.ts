import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('en')

export const reconciliation = {
  title: 'Reconciliation',
  provider: 'Provider',
  status: 'Status',
  statuses: { completed: 'Compared', failed: 'Failed' },
  origin: 'Run',
  origins: { nightly: 'Nightly', requested: 'Asked for by' },
  since: 'Since',
  checked: 'Compared',
  findings: 'Differences',
  finished: 'Finished',
  empty: 'No comparisons yet',
  emptyText: 'Every night our payments are compared with the lists of the providers that were used.',
  run: {
    button: 'Compare now',
    title: 'Compare with a provider now',
    text: 'Differences become exceptions. Nothing that was paid is sent again.',
    since: 'Payments since',
  },
  result: 'Result of the comparison',
  none: (count: number) =>
    plural(count, {
      one: '# payment compared, no difference found.',
      other: '# payments compared, no difference found.',
    }),
  kind: 'Difference',
  reference: 'Reference',
  summary: 'What was found',
  openExceptions: 'Open exceptions',
} as const
