import type { ComparedAccount, Comparison } from '../record.ts'
import { deleteLeftListed, deleteListed } from './store.ts'

const deletedTogether = 10_000
/** What is older was left by a process that died. */
const leftoverMs = 24 * 60 * 60_000

/** Removes what the comparison recorded, and what an earlier one of the same owner may have left behind. */
export async function purgeListed(
  { account, inScope }: Pick<ComparedAccount, 'account' | 'inScope'>,
  { comparisonId, until }: Comparison,
): Promise<void> {
  const { ownerId } = account
  let deleted = deletedTogether
  for (let from = 0; deleted === deletedTogether; from += deletedTogether)
    deleted = await inScope((tx) =>
      deleteListed(tx, ownerId, { comparisonId, from, to: from + deletedTogether }),
    )
  const before = new Date(until.getTime() - leftoverMs)
  await inScope((tx) => deleteLeftListed(tx, ownerId, { before, limit: deletedTogether }))
}
