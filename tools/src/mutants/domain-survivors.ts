import type { ExpectedSurvivor } from './expected-survivor.ts'

const folder = 'server/src/domains'

type Row = readonly [on: string, from: string, to: string, reason: string]

const nothingSent = 'A phase that has no case of its own sends nothing either.'
const values = 'The schemas of requests list the values, and the tests of the routes send each.'

const rowsByFile: Readonly<Record<string, readonly Row[]>> = {
  'after/disputes/apply-outcome.ts': [
    [
      'return attempt ?',
      'attempt',
      'true',
      'What is disputed was paid by an attempt; the check is there for the type.',
    ],
    [
      'Math.min(1, events.length)',
      '1',
      '2',
      'The outcome of a response changes a dispute that there is, which is one event.',
    ],
  ],
  'after/disputes/apply-report.ts': [
    [
      'otherCurrency(base, reported',
      'reported[moves.length]?.amount.currency',
      'reported[moves.length].amount.currency',
      'There is a movement that was not booked; the question mark is there for the type.',
    ],
  ],
  'after/disputes/rules.ts': [
    [
      'withdrawnMinor >= amountMinor',
      'withdrawnMinor >= amountMinor',
      '(withdrawnMinor) > (amountMinor)',
      'What is withdrawn whole has nothing left either way.',
    ],
  ],
  'after/reconciliation/rules.ts': [
    [
      'differencesLimit = 2_000',
      '2_000',
      '2001',
      'How many differences are raised at most promises nothing.',
    ],
  ],
  'payments/refunds/build-refund-postings.ts': [
    [
      'return differenceMinor > 0n',
      'differenceMinor > 0n',
      '(differenceMinor) >= (0n)',
      'Nothing is posted where there is no difference.',
    ],
  ],
  'payments/refunds/book-refund.ts': [
    [
      'notFoundCount: 0',
      '0',
      '1',
      'A refund made at the provider is found in its list, and nobody counts where it was not found.',
    ],
  ],
  'pricing/approval-policies/rules.ts': [
    [
      "['payout', 'refund'] as const",
      "'refund'",
      "''",
      'The limits of refunds are read for every kind but the payout.',
    ],
  ],
  'products/payout-batches/advance-batch.ts': [
    [
      'progress.pending > 0',
      '0',
      '1',
      'The next round comes at once or a millisecond later, which promises nothing.',
    ],
    [
      'if (!batch.sentAt)',
      '!batch.sentAt',
      'true',
      'The time that it has already is written once more, under the lock.',
    ],
  ],
  'products/ramps/rules.ts': [
    ["case 'collecting'", "'collecting'", "''", nothingSent],
    ["case 'watching'", "'watching'", "''", nothingSent],
    ["case 'closed'", "'closed'", "''", nothingSent],
    ['return undefined', 'return undefined', '', nothingSent],
    ['const larger', 'a > b', '(a) >= (b)', 'The larger of two equal amounts is either.'],
  ],
  'products/ramps/plan-leg.ts': [
    [
      'outcomeCode: failure?.code',
      'fact?.kind',
      'fact.kind',
      'Only a fact has a reason; the question mark is there for the type.',
    ],
  ],
  'products/ramps/build-effects.ts': [
    [
      'return same',
      'return same',
      '',
      'The next case returns the same with the exception of the step, and these steps have none.',
    ],
  ],
  'parties/payment-links/rules.ts': [
    ['amountTypes', "['fixed', 'open']", '[]', values],
    ['amountTypes', "'fixed'", "''", values],
    ['amountTypes', "'open'", "''", values],
  ],
}

export const domainSurvivors: readonly ExpectedSurvivor[] = Object.entries(rowsByFile).flatMap(
  ([path, rows]) =>
    rows.map(([on, from, to, reason]) => ({ path: `${folder}/${path}`, on, from, to, reason })),
)
