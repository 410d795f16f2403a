import { sql, type CompiledQuery } from 'kysely'
import { statements, type Database, type Tx } from '../../src/kernel/db/database.ts'
import type { Clock } from '../../src/lib/clock.ts'

/** In a test's database the clock of money is this setting, if it is there. */
export const replaceMoneyClock = `create or replace function money_clock() returns timestamptz language sql volatile
  return coalesce(nullif(current_setting('app.test_now', true), '')::timestamptz, clock_timestamp())`

/** A database whose clock of money is that of a test. */
export function clockedDatabase(db: Database, clock: Clock): Database {
  const setNow = (): CompiledQuery =>
    sql`select set_config('app.test_now', ${clock.now().toISOString()}, true)`.compile(statements)
  const clocked =
    <T>(work: (tx: Tx) => Promise<T>) =>
    async (tx: Tx): Promise<T> => {
      await tx.db.executeQuery(setNow())
      return work(tx)
    }
  return {
    ...db,
    now: async () => clock.now(),
    inOrg: (orgId, work) => db.inOrg(orgId, clocked(work)),
    acrossOrgs: (work) => db.acrossOrgs(clocked(work)),
    batchInOrg: async (orgId, batch) => (await db.batchInOrg(orgId, [setNow(), ...batch])).slice(1),
    batchAcrossOrgs: async (batch) => (await db.batchAcrossOrgs([setNow(), ...batch])).slice(1),
  }
}
