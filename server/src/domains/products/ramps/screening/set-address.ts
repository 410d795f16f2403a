import type { Caller } from '../../../../lib/requests/access.ts'
import { addressKey } from '../../../../lib/instruments/wallet-address.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { inAddressList } from './open-address-list.ts'
import type { AddressListDeps, ScreenedAddress } from './record.ts'
import { upsertAddress } from './store.ts'

export const setAddress = (
  deps: AddressListDeps,
  caller: Caller,
  input: { address: string; verdict: 'allow' | 'deny'; reason: string; everywhere: boolean },
): Promise<ScreenedAddress> =>
  inAddressList(deps, caller, input.everywhere, async (tx, orgId) => {
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
