import { sql, type RawBuilder } from 'kysely'
import type { Position } from '../../lib/requests/cursor.ts'

/** The rows after a position in newest-first order. */
export const beforePosition = (
  createdAtColumn: string,
  idColumn: string,
  position: Position,
): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(createdAtColumn)}, ${sql.ref(idColumn)}) < (${position.createdAt}, ${position.id})`
