import { sql, type Expression, type RawBuilder } from 'kysely'

/** The time of the database, for rows whose age decides about money. */
export const stampNow = (): RawBuilder<Date> => sql<Date>`money_clock()`

/** So many milliseconds later, by the same clock. */
export const stampIn = (ms: number | Expression<number>): RawBuilder<Date> =>
  sql<Date>`money_clock() + ${ms}::double precision * interval '1 millisecond'`

declare const stored: unique symbol

/** A time that stands in a row, and that only the database compares with the present. */
export type StoredTime = Date & { readonly [stored]: true }

/** For a time that a row holds, or that follows from one: never for what the clock of this process says. */
export const storedTime = (time: Date): StoredTime => time as StoredTime // the mark exists in the types only
