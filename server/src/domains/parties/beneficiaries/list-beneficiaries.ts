import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import { openUnlessErased } from './get-beneficiary.ts'
import type { Beneficiary, BeneficiaryDeps } from './record.ts'
import { selectBeneficiaries } from './store.ts'

export async function listBeneficiaries(
  deps: BeneficiaryDeps,
  caller: Caller,
  input: { userId: string | undefined; page: PageRequest },
): Promise<Page<Beneficiary>> {
  const { orgId } = caller
  const page = await readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'beneficiaries', filters: { userId: input.userId } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectBeneficiaries(tx, orgId, { userId: input.userId, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.beneficiaryId }),
  })
  const opened = await Promise.all(page.items.map((row) => openUnlessErased(deps, row)))
  return { ...page, items: opened.filter((one) => one !== undefined) }
}
