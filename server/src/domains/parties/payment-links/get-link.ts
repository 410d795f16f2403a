import { ErasedError } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { linkContext } from './create-link.ts'
import type { LinkDeps, LinkWithStatus, PaymentLink, StoredLink } from './record.ts'
import { findLink, findLinkByRefAcrossOrgs } from './store.ts'

export const getLink = (
  deps: Pick<LinkDeps, 'db' | 'vault' | 'listPaymentStatuses'>,
  caller: Caller,
  input: { orgId: string; linkId: string },
): Promise<LinkWithStatus> => loadLinkWithStatus(deps, orgInScope(caller, input.orgId, 'read'), input.linkId)

export async function loadLinkWithStatus(
  deps: Pick<LinkDeps, 'db' | 'vault' | 'listPaymentStatuses'>,
  orgId: string,
  linkId: string,
): Promise<LinkWithStatus> {
  const { row, statuses } = await deps.db.inOrg(orgId, async (tx) => {
    const found = await findLink(tx, orgId, linkId)
    if (!found) throw notFound('The payment link')
    const paymentIds = found.paymentId === null ? [] : [found.paymentId]
    return { row: found, statuses: await deps.listPaymentStatuses(tx, orgId, paymentIds) }
  })
  return withStatus(await openLink(deps, row), statuses)
}

export const withStatus = (link: PaymentLink, statuses: ReadonlyMap<string, string>): LinkWithStatus => ({
  ...link,
  paymentStatus: statuses.get(link.paymentId ?? '') ?? null,
})

export async function loadLink(
  deps: Pick<LinkDeps, 'db' | 'vault'>,
  orgId: string,
  linkId: string,
): Promise<PaymentLink> {
  const row = await deps.db.inOrg(orgId, (tx) => findLink(tx, orgId, linkId))
  if (!row) throw notFound('The payment link')
  return openLink(deps, row)
}

/** For the payer's page: anybody who has the reference may see the link. */
export async function loadLinkByRef(
  deps: Pick<LinkDeps, 'db' | 'vault'>,
  linkRef: string,
): Promise<PaymentLink> {
  const row = await deps.db.acrossOrgs((tx) => findLinkByRefAcrossOrgs(tx, linkRef))
  if (!row) throw notFound('The payment link')
  return openLink(deps, row)
}

export async function openLink(
  deps: Pick<LinkDeps, 'vault'>,
  { privateSealed, ...row }: StoredLink,
): Promise<PaymentLink> {
  if (privateSealed.length === 0) return { ...row, email: null }
  try {
    const opened = await deps.vault.open(row.orgId, linkContext(row.linkId), privateSealed)
    return { ...row, ...(opened as Pick<PaymentLink, 'email'>) } // sealed by us from this type
  } catch (error) {
    if (error instanceof ErasedError) return { ...row, email: null }
    throw error
  }
}
