import { AppError } from '../../../lib/errors.ts'
import { recordSystemAudit } from '../../records/audit-log/record-audit.ts'
import { beneficiaryContext } from '../../parties/beneficiaries/create-beneficiary.ts'
import { eraseBeneficiaries } from '../../parties/beneficiaries/erase-beneficiary.ts'
import { linkContext } from '../../parties/payment-links/create-link.ts'
import { eraseLinks } from '../../parties/payment-links/erase-links.ts'
import { eraseMatchedPeople } from '../../compliance/sanctions/matches/erase-matches.ts'
import { eraseDetails } from '../../payments/erasure/erase-details.ts'
import { listLinksOf } from '../../payments/erasure/reads.ts'
import { privateContext } from '../../payments/record.ts'
import { removeTerms } from '../../payments/reads/search/remove-terms.ts'
import { assertErasable } from './check-obstacles.ts'
import type { Erasure, ErasureDeps, ErasureIds } from './record.ts'
import { endErasure, findErasure } from './store.ts'

/**
 * Erases what a request names. The search terms derive from the details, so they go first; then the keys are destroyed,
 * which is what no copy of the database survives; then the rows are cleared. Repeating it from any point is harmless.
 */
export async function erasePerson(deps: ErasureDeps, { orgId, erasureId }: ErasureIds): Promise<void> {
  const erasure = await deps.db.inOrg(orgId, (tx) => findErasure(tx, orgId, erasureId))
  if (erasure?.status !== 'pending') return
  const { paymentIds, beneficiaryIds } = erasure
  const refusal = await findRefusal(deps, erasure)
  if (refusal !== undefined) return end(deps, erasure, { status: 'refused', refusal })
  const linkIds = await deps.db.inOrg(orgId, (tx) => listLinksOf(tx, orgId, paymentIds))
  for (const paymentId of paymentIds) await removeTerms(deps, { orgId, paymentId })
  await deps.vault.erase(orgId, [
    ...paymentIds.map(privateContext),
    ...beneficiaryIds.map(beneficiaryContext),
    ...linkIds.map(linkContext),
  ])
  await end(deps, erasure, { status: 'done', refusal: null, linkIds })
}

async function findRefusal(deps: ErasureDeps, { orgId, ...records }: Erasure): Promise<string | undefined> {
  try {
    await deps.db.inOrg(orgId, (tx) => assertErasable(deps, tx, orgId, records))
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_ERASABLE') return error.message
    throw error
  }
}

interface End {
  status: 'done' | 'refused'
  refusal: string | null
  linkIds?: readonly string[]
}

const end = (
  deps: ErasureDeps,
  { orgId, erasureId, paymentIds, beneficiaryIds }: Erasure,
  { status, refusal, linkIds }: End,
): Promise<void> =>
  deps.db.inOrg(orgId, async (tx) => {
    const at = deps.clock.now()
    if (!(await endErasure(tx, orgId, { erasureId, status, refusal, at }))) return
    if (linkIds) {
      await eraseDetails(tx, orgId, paymentIds, at)
      await eraseLinks(tx, orgId, linkIds)
      await eraseBeneficiaries(tx, orgId, beneficiaryIds)
      await eraseMatchedPeople(tx, orgId, [...paymentIds, ...beneficiaryIds])
    }
    await recordSystemAudit(tx, orgId, {
      action: status === 'done' ? 'erasure.complete' : 'erasure.refuse',
      resourceType: 'erasure',
      resourceId: erasureId,
      after: {
        payments: paymentIds.length,
        beneficiaries: beneficiaryIds.length,
        links: linkIds?.length ?? 0,
      },
    })
  })
