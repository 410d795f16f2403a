import type { ExpectedSurvivor } from './expected-survivor.ts'

const folder = 'server/src/domains'

type Row = readonly [on: string, from: string, to: string, reason: string]

const values = 'The schemas of requests list the values, and the tests of the routes send each.'

const rowsByFile: Readonly<Record<string, readonly Row[]>> = {
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
