import type { Database } from '../../../kernel/db/database.ts'
import { imageTypeOf } from './rules.ts'
import { findLogo } from './store.ts'

export interface Logo {
  type: string
  bytes: Buffer
}

export async function getLogo(deps: { db: Database }, orgId: string): Promise<Logo | undefined> {
  const bytes = await deps.db.inOrg(orgId, (tx) => findLogo(tx, orgId))
  const type = bytes && imageTypeOf(bytes)
  return bytes && type !== undefined ? { type, bytes } : undefined
}
