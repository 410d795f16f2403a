import { sql, type Expression, type RawBuilder } from 'kysely'

/** The time of the database, for rows whose age decides about money. */
export const stampNow = (): RawBuilder<Date> => sql<Date>`money_clock()`

/** So many milliseconds later, by the same clock. */
export const stampIn = (ms: number | Expression<number>): RawBuilder<Date> =>
  sql<Date>`money_clock() + ${ms}::double precision * interval '1 millisecond'`
