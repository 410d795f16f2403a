import type { Caller } from '../../../../lib/requests/access.ts'
import type { MaintenanceDeps, MaintenanceWindow } from './record.ts'
import { selectWindows } from './store.ts'

const windowsLimit = 1_000

/** The windows of the organisation's own accounts and of the installation's, unless they have ended. */
export const listWindows = (
  deps: Pick<MaintenanceDeps, 'db' | 'clock'>,
  caller: Caller,
): Promise<MaintenanceWindow[]> =>
  deps.db.inOrg(caller.orgId, (tx) =>
    selectWindows(tx, caller.orgId, { endsAfter: deps.clock.now(), limit: windowsLimit }),
  )
