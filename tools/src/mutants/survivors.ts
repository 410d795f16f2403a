import { connectorSurvivors } from './connector-survivors.ts'
import { domainSurvivors } from './domain-survivors.ts'
import type { ExpectedSurvivor } from './expected-survivor.ts'
import type { Mutant } from './find-mutants.ts'

const server = 'server/src'
const domains = `${server}/domains`
const payments = `${domains}/payments`

export const expectedSurvivors: readonly ExpectedSurvivor[] = [
  ...connectorSurvivors,
  ...domainSurvivors,
  {
    path: `${server}/lib/money/money.ts`,
    on: 'BigInt(match[1]',
    from: "'0'",
    to: "''",
    reason: 'A match always has its first group; the default is there for the type.',
  },
  {
    path: `${server}/lib/money/money.ts`,
    on: 'const digits',
    from: 'units < 0n',
    to: '(units) <= (0n)',
    reason: 'The same: minus zero is zero.',
  },
  {
    path: `${server}/lib/money/money.ts`,
    on: 'const digits',
    from: '0n',
    to: '1n',
    reason: 'The same: minus zero is zero.',
  },
  {
    path: `${payments}/record.ts`,
    on: "last.outcomeCode ?? ''",
    from: "''",
    to: "'mutated'",
    reason: 'No table of declines has either code.',
  },
  {
    path: `${payments}/record.ts`,
    on: 'pollSchedule.repeatMs[tries - 1] ?? 0',
    from: '0',
    to: '1',
    reason:
      'A route is repeated no more often than the schedule has delays; the default is there for the type.',
  },
  {
    path: `${payments}/attempts/plan-fact.ts`,
    on: "decision.exception === 'money_after_end'",
    from: "'reversed_after_completion'",
    to: "''",
    reason: 'The attempt has ended, so none of its details is taken over either way.',
  },
  {
    path: `${payments}/attempts/plan-fact.ts`,
    on: "key === 'updatedAt'",
    from: "'updatedAt'",
    to: "''",
    reason: 'A record that is otherwise the same is returned as it was, with its time.',
  },
  {
    path: `${payments}/initiation/check-outflow.ts`,
    on: 'leftMinor <= 0n',
    from: 'leftMinor <= 0n',
    to: '(leftMinor) < (0n)',
    reason: 'Nothing is left of the limit, and the database calls a limit of zero reached, too.',
  },
  {
    path: `${domains}/providers/accounts/rules.ts`,
    on: 'bytes.length !== idBytes + proofBytes',
    from: 'bytes.length !== idBytes + proofBytes',
    to: 'false',
    reason: 'A proof of another length is refused by the comparison too.',
  },
  {
    path: `${domains}/providers/accounts/rules.ts`,
    on: '!isUuid(id)',
    from: '!isUuid(id)',
    to: 'false',
    reason: 'No proof was ever made for an id that is none, so the comparison refuses it too.',
  },
  {
    path: `${domains}/pricing/approval-policies/rules.ts`,
    on: 'let kind',
    from: "'amount'",
    to: "''",
    reason: 'It is assigned before it is read.',
  },
  {
    path: `${domains}/after/ledger-adjustments/rules.ts`,
    on: "account.available('own')",
    from: "'own'",
    to: "''",
    reason: 'Every custody but the pooled one is the own one.',
  },
  {
    path: `${domains}/after/ledger-adjustments/rules.ts`,
    on: 'provider !== undefined && accountId',
    from: 'provider !== undefined && accountId !== undefined',
    to: '(provider !== undefined) || (accountId !== undefined)',
    reason: 'The pattern matches both groups or none.',
  },
  {
    path: `${domains}/events/webhooks/rules.ts`,
    on: 'if (known)',
    from: 'known',
    to: 'false',
    reason: 'The keys are made anew, which only takes longer.',
  },
  {
    path: `${domains}/events/webhooks/rules.ts`,
    on: 'keysBySecrets.set',
    from: 'keysBySecrets.set(secrets, keys)',
    to: '',
    reason: 'The keys are made anew, which only takes longer.',
  },
  {
    path: `${domains}/pricing/fees/rules.ts`,
    on: 'return a.orgId === null ? 1 : -1',
    from: '1',
    to: '2',
    reason: 'Only the sign of a comparison matters.',
  },
  {
    path: `${domains}/pricing/fees/rules.ts`,
    on: 'a.scheduleId < b.scheduleId',
    from: '1',
    to: '2',
    reason: 'Only the sign of a comparison matters.',
  },
  {
    path: `${domains}/pricing/fees/rules.ts`,
    on: 'a.scheduleId < b.scheduleId',
    from: 'a.scheduleId < b.scheduleId',
    to: '(a.scheduleId) <= (b.scheduleId)',
    reason: 'No two schedules have the same id.',
  },
  {
    path: `${domains}/pricing/fees/rules.ts`,
    on: 'const larger',
    from: 'a > b',
    to: '(a) >= (b)',
    reason: 'The larger of two equal amounts is either.',
  },
  {
    path: `${domains}/pricing/fees/rules.ts`,
    on: 'const smaller',
    from: 'a < b',
    to: '(a) <= (b)',
    reason: 'The smaller of two equal amounts is either.',
  },
  {
    path: `${domains}/products/payout-batches/rules.ts`,
    on: 'a.clientReference < b.clientReference',
    from: 'a.clientReference < b.clientReference',
    to: '(a.clientReference) <= (b.clientReference)',
    reason: 'No two rows of a batch have the same reference.',
  },
  {
    path: `${domains}/products/payout-batches/rules.ts`,
    on: 'a.clientReference < b.clientReference',
    from: '1',
    to: '2',
    reason: 'Only the sign of a comparison matters.',
  },
  {
    path: `${server}/kernel/ledger/transfers.ts`,
    on: 'a.account < b.account',
    from: 'a.account < b.account',
    to: '(a.account) <= (b.account)',
    reason: 'No two changes are of the same account.',
  },
  {
    path: `${server}/kernel/ledger/transfers.ts`,
    on: 'a.account < b.account',
    from: '1',
    to: '2',
    reason: 'Only the sign of a comparison matters.',
  },
  {
    path: `${server}/kernel/ledger/available.ts`,
    on: 'rows[0]?.folded ?? 0',
    from: 'rows[0]?.folded ?? 0',
    to: '(rows[0]?.folded) && (0)',
    reason: 'Not tested here: the count only decides how soon the next fold comes.',
  },
  {
    path: `${server}/kernel/ledger/available.ts`,
    on: 'rows[0]?.folded ?? 0',
    from: 'rows[0]?.folded',
    to: 'rows[0].folded',
    reason: 'Not tested here: the count only decides how soon the next fold comes.',
  },
  {
    path: `${server}/kernel/ledger/available.ts`,
    on: 'rows[0]?.folded ?? 0',
    from: '0',
    to: '1',
    reason: 'Not tested here: the count only decides how soon the next fold comes.',
  },
  {
    path: `${server}/kernel/ledger/audit.ts`,
    on: 'examplesLimit = 5',
    from: '5',
    to: '6',
    reason: 'How many examples are printed promises nothing.',
  },
  {
    path: `${server}/kernel/ledger/audit.ts`,
    on: 'counted.rows[0]?.examined',
    from: 'counted.rows[0]?.examined',
    to: 'counted.rows[0].examined',
    reason: 'A count always has its row; the default is there for the type.',
  },
  {
    path: `${server}/kernel/ledger/audit.ts`,
    on: 'counted.rows[0]?.examined ?? 0',
    from: '0',
    to: '1',
    reason: 'A count always has its row; the default is there for the type.',
  },
]

export const isExpected = (
  survivor: ExpectedSurvivor,
  path: string,
  mutant: Pick<Mutant, 'original' | 'replacement'> & { lineText: string },
): boolean =>
  survivor.path === path &&
  survivor.from === mutant.original &&
  survivor.to === mutant.replacement &&
  mutant.lineText.includes(survivor.on)
