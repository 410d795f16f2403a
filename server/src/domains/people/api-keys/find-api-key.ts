import type { Tx } from '../../../kernel/db/database.ts'
import type { ApiKey } from './record.ts'
import { findApiKey } from './store.ts'

/** In the caller's transaction. */
export const findApiKeyIn = (tx: Tx, orgId: string, apiKeyId: string): Promise<ApiKey | undefined> =>
  findApiKey(tx, orgId, apiKeyId)
