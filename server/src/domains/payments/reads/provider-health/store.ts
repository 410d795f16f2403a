import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { Custody } from '../../../../kernel/ledger/available.ts'
import type { AttemptState } from '../../lifecycle/rules.ts'
import type { AccountHealth, HealthWindow } from './record.ts'

/** Enough for percentiles; a busier window is cut off here and marked as such. */
const attemptsLimit = 100_000
const codesLimit = 20

interface HealthRow {
  provider: string
  account_id: string
  custody: Custody
  attempts: number
  states: Partial<Record<AttemptState, number>>
  codes: Record<string, number> | null
  p50: number | null
  p95: number | null
  p99: number | null
}

/** The newest attempts of the organisation, by the index of organisation and time, which has the same condition. */
export const selectHealth = (tx: Tx, orgId: string, window: HealthWindow): Promise<SelectedHealth> =>
  selectFrom(
    tx,
    sql`select * from attempts where org_id = ${orgId} and attempt_no > 0 and created_at >= ${window.since}
      ${ofProvider(window)} order by created_at desc limit ${attemptsLimit}`,
  )

/** Attempts of all organisations; the index by time finds the blocks of the window. */
export const selectHealthAcrossOrgs = (tx: Tx, window: HealthWindow): Promise<SelectedHealth> =>
  selectFrom(
    tx,
    sql`select * from attempts where created_at >= ${window.since} ${ofProvider(window)} limit ${attemptsLimit}`,
  )

interface SelectedHealth {
  accounts: AccountHealth[]
  isTruncated: boolean
}

const ofProvider = ({ provider }: HealthWindow): RawBuilder<unknown> =>
  provider === undefined ? sql`` : sql`and provider = ${provider}`

async function selectFrom(tx: Tx, recent: RawBuilder<unknown>): Promise<SelectedHealth> {
  const { rows } = await sql<HealthRow>`
    with recent as (${recent}),
    states as (
      select account_id, jsonb_object_agg(state, count) as states
      from (select account_id, state, count(*)::integer as count from recent group by account_id, state) counted
      group by account_id
    ),
    codes as (
      select account_id, jsonb_object_agg(outcome_code, count) as codes
      from (
        select account_id, outcome_code, count(*)::integer as count,
               row_number() over (partition by account_id order by count(*) desc, outcome_code) as place
        from recent where outcome_code is not null and state in ('declined', 'failed')
        group by account_id, outcome_code
      ) counted where place <= ${codesLimit}
      group by account_id
    ),
    times as (
      select account_id,
             percentile_cont(array[0.5, 0.95, 0.99])
               within group (order by extract(epoch from updated_at - created_at)) as seconds
      from recent where state in ('succeeded', 'failed', 'declined')
      group by account_id
    )
    select provider, account_id, custody, count(*)::integer as attempts, states, codes,
           seconds[1]::float as p50, seconds[2]::float as p95, seconds[3]::float as p99
    from recent join states using (account_id) left join codes using (account_id) left join times using (account_id)
    group by provider, account_id, custody, states, codes, seconds
    order by attempts desc, account_id`.execute(tx.db)
  const accounts = rows.map(toHealth)
  const total = accounts.reduce((sum, { attempts }) => sum + attempts, 0)
  return { accounts, isTruncated: total >= attemptsLimit }
}

const toHealth = ({ p50, p95, p99, ...row }: HealthRow): AccountHealth => ({
  provider: row.provider,
  accountId: row.account_id,
  custody: row.custody,
  attempts: row.attempts,
  byState: row.states,
  declines: Object.entries(row.codes ?? {})
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
  secondsToOutcome: p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 },
})
