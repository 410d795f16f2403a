import type { LinkDeps } from './record.ts'
import { updateLinkRate } from './store.ts'

/** Stores which locked rate payers of the link are shown. */
export const storeRate = (
  deps: Pick<LinkDeps, 'db'>,
  orgId: string,
  link: { linkId: string; orgRateId: string },
): Promise<void> => deps.db.inOrg(orgId, (tx) => updateLinkRate(tx, orgId, link))
