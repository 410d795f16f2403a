import { sql, type RawBuilder } from 'kysely'

export type Condition = RawBuilder<boolean>
export const and = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`

/** A range instead of `like`, which is not leakproof: row level security would not let an index serve it. */
export const startsWith = (column: string, prefix: string): Condition =>
  sql<boolean>`${sql.ref(column)} collate "C" >= ${prefix}
    and ${sql.ref(column)} collate "C" < ${`${prefix}\u{10FFFF}`}`
