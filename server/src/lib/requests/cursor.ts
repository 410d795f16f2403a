import { z } from 'zod'
import { seal } from '../crypto/crypto.ts'
import { validationError } from '../errors.ts'
import { openWithAny, type KeyRing } from '../crypto/key-ring.ts'

/** Where a page ended: keyset paging on (created_at, id). */
export interface Position {
  createdAt: Date
  id: string
}

/** The request that a cursor is bound to. A cursor of another request is malformed. */
export interface CursorScope {
  orgId: string
  route: string
  filters: Record<string, unknown>
}

const positionSchema = z.tuple([z.int(), z.string().min(1).max(255)])
const cursorPattern = /^[A-Za-z0-9_-]{1,1024}$/

const contextOf = (scope: CursorScope): string =>
  JSON.stringify([
    scope.orgId,
    scope.route,
    Object.entries(scope.filters)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ])

export const encodeCursor = (ring: KeyRing, scope: CursorScope, position: Position): string =>
  seal(
    ring.current,
    Buffer.from(JSON.stringify([position.createdAt.getTime(), position.id])),
    contextOf(scope),
  ).toString('base64url')

export function decodeCursor(ring: KeyRing, scope: CursorScope, cursor: string): Position {
  const plain = cursorPattern.test(cursor)
    ? openWithAny(ring, Buffer.from(cursor, 'base64url'), contextOf(scope))
    : undefined
  // base64url ignores trailing bits, so a changed last character may decode to the same bytes: compare the text too.
  if (!plain || Buffer.from(cursor, 'base64url').toString('base64url') !== cursor)
    throw validationError(
      'The cursor is malformed. Pass last_evaluated_key exactly as the previous page returned it, with the same filters.',
    )
  const [createdAtMs, id] = positionSchema.parse(JSON.parse(plain.toString()))
  return { createdAt: new Date(createdAtMs), id }
}
