import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '@switchyard/server/kernel/db/generated/schema.ts'
import { transitions } from '@switchyard/server/domains/payments/lifecycle/rules.ts'
import { auditAcrossOrgs } from '@switchyard/server/kernel/ledger/audit.ts'
import type { Invariant, Violation } from './violation.ts'

/** Which invariant each promise of `npm run audit` belongs to; all others are about balances. */
const invariantOf: Readonly<Record<string, Invariant>> = {
  'every currency sums to zero': 'I6',
  'a hold ends at most once, with its own amount and accounts': 'I8',
  'open holds are those of open payouts and refunds': 'I8',
  'a payment has one open refund at most': 'I3',
  'events are numbered without a gap': 'I11',
  'the last event carries the status': 'I11',
  'statuses follow the transition table': 'I9',
  'every change has its events': 'I11',
  'a payment has one open attempt at most': 'I3',
  'attempts match the status of their payment': 'I9',
  'money in the ramp account belongs to an open ramp': 'I15',
  'a wallet transfer in flight belongs to an open leg': 'I15',
  'legs match the status of their ramp': 'I9',
}

/** Each promise is checked by one statement, so it holds in any snapshot, even while work is in progress. */
export async function auditViolations(owner: Pool): Promise<Violation[]> {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: owner }) })
  const findings = await auditAcrossOrgs(db, transitions)
  return findings.flatMap(({ promise, violations, examples }) => {
    const invariant = invariantOf[promise] ?? 'I7'
    return violations === 0
      ? []
      : examples.map(({ subject, problem }) => ({ invariant, subject, problem: `${promise}: ${problem}` }))
  })
}

/** Checks the constraints by which the database itself refuses bad data, whatever the code does. */
export async function guardViolations(owner: Pool): Promise<Violation[]> {
  const { rowCount } = await owner.query(
    `select from pg_indexes where indexname = 'attempts_one_open' and indexdef like 'CREATE UNIQUE INDEX%'`,
  )
  const { rows } = await owner.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not (c.relrowsecurity and c.relforcerowsecurity)`)
  return [
    ...(rowCount === 0
      ? [
          {
            invariant: 'I3' as const,
            subject: 'attempts',
            problem: 'the database accepts a second open attempt',
          },
        ]
      : []),
    ...rows.map(({ name }) => ({
      invariant: 'I13' as const,
      subject: name,
      problem: 'row-level security is not forced on this table',
    })),
  ]
}
