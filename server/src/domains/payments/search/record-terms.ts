import { privateContext, type PrivateDetails } from '../record.ts'
import type { QueuedPayment, SearchDeps, SearchTerm } from './record.ts'
import { createTermHash, termsOf } from './rules.ts'
import { deleteQueuedAcrossOrgs, insertTermsAcrossOrgs, selectQueuedAcrossOrgs } from './store.ts'

const batchSize = 500
/** The limit of one run; the rest waits for the next one. */
const batchesLimit = 200

/** Writes the search terms of the payments that are queued for them. Safe to run at any time and concurrently. */
export async function recordTerms(deps: SearchDeps): Promise<number> {
  let recorded = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const queued = await deps.db.acrossOrgs((tx) => selectQueuedAcrossOrgs(tx, batchSize))
    const terms = (await Promise.all(queued.map((payment) => readTerms(deps, payment)))).flat()
    if (queued.length > 0)
      await deps.db.acrossOrgs(async (tx) => {
        await insertTermsAcrossOrgs(tx, terms)
        await deleteQueuedAcrossOrgs(tx, queued)
      })
    recorded += queued.length
    if (queued.length < batchSize) return recorded
  }
  return recorded
}

export async function readTerms(
  deps: Pick<SearchDeps, 'vault' | 'searchKey'>,
  { orgId, paymentId, country, createdAt, privateSealed }: QueuedPayment,
): Promise<SearchTerm[]> {
  // An erased payment has nothing that could be searched for.
  if (privateSealed.length === 0) return []
  const details = (await deps.vault.open(orgId, privateContext(paymentId), privateSealed)) as PrivateDetails // sealed by us from this type
  const terms = termsOf(createTermHash(deps.searchKey, orgId), country, details)
  return terms.map((term) => ({ orgId, term, createdAt, paymentId }))
}
