import type { Database, Tx } from '../../../db/database.ts'
import { installationOrgId } from '../../../db/vault.ts'
import type { Caller } from '../../../lib/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/paging.ts'
import { addressKey } from '../../../lib/wallet-address.ts'
import { recordAudit } from '../../audit-log/record-audit.ts'
import { deleteAddress, selectAddresses, upsertAddress, type ScreenedAddress } from './store.ts'

export interface AddressListDeps {
  db: Database
  cursorKey: Buffer
}

export function listAddresses(
  deps: AddressListDeps,
  caller: Caller,
  page: PageRequest,
): Promise<Page<ScreenedAddress>> {
  const { orgId } = caller
  return readPage(deps.cursorKey, page, {
    scope: { orgId, route: 'screened-addresses', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectAddresses(tx, orgId, { limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.address }),
  })
}

export const putAddress = (
  deps: AddressListDeps,
  caller: Caller,
  input: { address: string; verdict: 'allow' | 'deny'; reason: string; everywhere: boolean },
): Promise<ScreenedAddress> =>
  inList(deps, caller, input.everywhere, async (tx, orgId) => {
    const { verdict, reason } = input
    const address = addressKey(input.address)
    const entry = await upsertAddress(tx, orgId, { address, verdict, reason, userId: caller.userId })
    await recordAudit(tx, caller, caller.orgId, {
      action: 'screened-address.put',
      resourceType: 'screened-address',
      resourceId: address,
      after: { verdict, reason, everywhere: input.everywhere },
    })
    return entry
  })

export const removeAddress = (
  deps: AddressListDeps,
  caller: Caller,
  input: { address: string; everywhere: boolean },
): Promise<void> =>
  inList(deps, caller, input.everywhere, async (tx, orgId) => {
    const removed = await deleteAddress(tx, orgId, addressKey(input.address))
    if (!removed) throw notFound('The address')
    await recordAudit(tx, caller, caller.orgId, {
      action: 'screened-address.delete',
      resourceType: 'screened-address',
      resourceId: removed.address,
      before: { verdict: removed.verdict, reason: removed.reason, everywhere: input.everywhere },
    })
  })

/** Works on the organisation's list, or on the installation's, which only the operator may change. */
const inList = <T>(
  { db }: AddressListDeps,
  caller: Caller,
  everywhere: boolean,
  work: (tx: Tx, orgId: string) => Promise<T>,
): Promise<T> => {
  const orgId = everywhere ? orgInScope(caller, installationOrgId, 'write') : caller.orgId
  return everywhere ? db.acrossOrgs((tx) => work(tx, orgId)) : db.inOrg(orgId, (tx) => work(tx, orgId))
}
