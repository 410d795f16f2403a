import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { linkContext } from './create-link.ts'
import type { StoredLink, PaymentLink, LinkDeps } from './record.ts'
import { findLink, findLinkByRefAcrossOrgs, updateLinkRate } from './store.ts'

export function getLink(
  deps: Pick<LinkDeps, 'db' | 'vault'>,
  caller: Caller,
  input: { orgId: string; linkId: string },
): Promise<PaymentLink> {
  return loadLink(deps, orgInScope(caller, input.orgId, 'read'), input.linkId)
}

export async function loadLink(
  deps: Pick<LinkDeps, 'db' | 'vault'>,
  orgId: string,
  linkId: string,
): Promise<PaymentLink> {
  const row = await deps.db.inOrg(orgId, (tx) => findLink(tx, orgId, linkId))
  if (!row) throw notFound('The payment link')
  return openLink(deps, row)
}

/** For the payer's page: who has the reference may see the link. */
export async function loadLinkByRef(
  deps: Pick<LinkDeps, 'db' | 'vault'>,
  linkRef: string,
): Promise<PaymentLink> {
  const row = await deps.db.acrossOrgs((tx) => findLinkByRefAcrossOrgs(tx, linkRef))
  if (!row) throw notFound('The payment link')
  return openLink(deps, row)
}

/** Remembers which locked rate payers of the link are shown. */
export const keepRate = (
  deps: Pick<LinkDeps, 'db'>,
  orgId: string,
  link: { linkId: string; orgRateId: string },
): Promise<void> => deps.db.inOrg(orgId, (tx) => updateLinkRate(tx, orgId, link))

export async function openLink(
  deps: Pick<LinkDeps, 'vault'>,
  { privateSealed, ...row }: StoredLink,
): Promise<PaymentLink> {
  const opened = await deps.vault.open(row.orgId, linkContext(row.linkId), privateSealed)
  return { ...row, ...(opened as Pick<PaymentLink, 'email'>) } // sealed by us from this type
}
