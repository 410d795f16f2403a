import { z } from 'zod'
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { CursorScope, Position } from './cursor.ts'
import type { KeyRing } from '../crypto/key-ring.ts'

export const pageLimit = z.coerce.number().int().min(1).max(100).default(10)

export interface PageRequest {
  limit: number
  cursor: string | undefined
}

export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

interface PageSource<Item> {
  scope: CursorScope
  /** At most `limit` rows before the position, newest first. */
  read(limit: number, before: Position | undefined): Promise<Item[]>
  positionOf(item: Item): Position
}

export async function readPage<Item>(
  cursorKey: KeyRing,
  request: PageRequest,
  source: PageSource<Item>,
): Promise<Page<Item>> {
  const before =
    request.cursor === undefined ? undefined : decodeCursor(cursorKey, source.scope, request.cursor)
  const items = await source.read(request.limit + 1, before)
  if (items.length <= request.limit) return { items, nextCursor: null }
  items.pop()
  const last = items.at(-1)
  return { items, nextCursor: last ? encodeCursor(cursorKey, source.scope, source.positionOf(last)) : null }
}
