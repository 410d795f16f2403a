import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { addressKey } from '../../../../lib/instruments/wallet-address.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { inAddressList } from './open-address-list.ts'
import type { AddressListDeps } from './record.ts'
import { deleteAddress } from './store.ts'

export const removeAddress = (
  deps: AddressListDeps,
  caller: Caller,
  input: { address: string; everywhere: boolean },
): Promise<void> =>
  inAddressList(deps, caller, input.everywhere, async (tx, orgId) => {
    const removed = await deleteAddress(tx, orgId, addressKey(input.address))
    if (!removed) throw notFound('The address')
    await recordAudit(tx, caller, caller.orgId, {
      action: 'screened-address.delete',
      resourceType: 'screened-address',
      resourceId: removed.address,
      before: { verdict: removed.verdict, reason: removed.reason, everywhere: input.everywhere },
    })
  })
