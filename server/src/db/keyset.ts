import { sql, type RawBuilder } from 'kysely'
import type { Position } from '../lib/cursor.ts'

/** The rows that follow a position when the newest come first. */
export const beforePosition = (
  createdAtColumn: string,
  idColumn: string,
  position: Position,
): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(createdAtColumn)}, ${sql.ref(idColumn)}) < (${position.createdAt}, ${position.id})`
