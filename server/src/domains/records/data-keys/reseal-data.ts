import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { replaceSealed, sealedColumns, selectSealed } from './store.ts'

const defaultBatchSize = 200

/**
 * Re-encrypts all sealed values of the organisation under its newest key, in small batches. A value changed
 * meanwhile is left alone, because its writer has already used the new key.
 */
export async function resealData(deps: { db: Database; vault: Vault }, orgId: string): Promise<number> {
  let resealed = 0
  for (const of of sealedColumns) {
    const batchSize = 'batchSize' in of ? of.batchSize : defaultBatchSize
    let after: string | undefined
    for (;;) {
      const at = { of, after, limit: batchSize }
      const page = await deps.db.inOrg(orgId, (tx) => selectSealed(tx, orgId, at))
      for (const { id, context, sealed } of page) {
        const renewed = await deps.vault.reseal(orgId, sealed, { context, isPersonal: 'isPersonal' in of })
        if (!renewed) continue
        const change = { of, id, before: sealed, after: renewed }
        await deps.db.inOrg(orgId, (tx) => replaceSealed(tx, orgId, change))
        resealed++
      }
      if (page.length < batchSize) break
      after = page.at(-1)?.id
    }
  }
  return resealed
}
