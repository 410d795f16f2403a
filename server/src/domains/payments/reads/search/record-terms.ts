import { UnopenableError } from '../../../../kernel/db/vault.ts'
import { privateContext, type PrivateDetails } from '../../record.ts'
import type { QueuedPayment, SearchDeps, SearchTerm, UnreadablePayment } from './record.ts'
import { createTermHash, termsOf } from './rules.ts'
import {
  deleteQueuedAcrossOrgs,
  insertTermsAcrossOrgs,
  selectQueuedAcrossOrgs,
  setAsideAcrossOrgs,
} from './store.ts'

const batchSize = 500
/** The limit of one run; the rest waits for the next one. */
const batchesLimit = 200

/**
 * Writes the search terms of the payments that are queued for them. Safe to run at any time and concurrently.
 * A payment whose details cannot be opened is set aside, because no repeat would open them.
 */
export async function recordTerms(deps: SearchDeps): Promise<number> {
  let recorded = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const queued = await deps.db.acrossOrgs((tx) => selectQueuedAcrossOrgs(tx, batchSize))
    if (queued.length > 0) recorded += await recordBatch(deps, queued)
    if (queued.length < batchSize) return recorded
  }
  return recorded
}

async function recordBatch(deps: SearchDeps, queued: readonly QueuedPayment[]): Promise<number> {
  const unreadable: UnreadablePayment[] = []
  const read = async (payment: QueuedPayment) => {
    try {
      return [{ payment, terms: await readTerms(deps, payment) }]
    } catch (error) {
      if (!(error instanceof UnopenableError)) throw error
      const { orgId, paymentId } = payment
      unreadable.push({ orgId, paymentId, reason: error.message })
      return []
    }
  }
  const readable = (await Promise.all(queued.map(read))).flat()
  await deps.db.acrossOrgs(async (tx) => {
    await insertTermsAcrossOrgs(
      tx,
      readable.flatMap(({ terms }) => terms),
    )
    await deleteQueuedAcrossOrgs(
      tx,
      readable.map(({ payment }) => payment),
    )
    await setAsideAcrossOrgs(tx, unreadable)
  })
  for (const payment of unreadable) deps.log.error(payment, 'the details of a payment cannot be opened')
  return readable.length
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
