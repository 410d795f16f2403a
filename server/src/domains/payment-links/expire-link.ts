import { notFound } from '../../lib/errors.ts'
import type { LinkDeps } from './record.ts'
import { findLink, updateLinkRow } from './store.ts'

/** Expires the link if it is due. Returns the milliseconds left if its expiry was moved, else undefined. */
export function expireLink(
  deps: Pick<LinkDeps, 'db' | 'clock'>,
  input: { orgId: string; linkId: string },
): Promise<number | undefined> {
  const { orgId, linkId } = input
  const now = deps.clock.now()
  return deps.db.inOrg(orgId, async (tx) => {
    const link = await findLink(tx, orgId, linkId)
    if (!link) throw notFound('The payment link')
    if (link.status !== 'active') return undefined
    if (link.expiresAt > now) return link.expiresAt.getTime() - now.getTime()
    const isWritten = await updateLinkRow(tx, orgId, { ...link, status: 'expired' })
    return isWritten ? undefined : retryMs
  })
}

const retryMs = 1_000
