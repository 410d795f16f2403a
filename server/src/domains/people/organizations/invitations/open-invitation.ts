import { notFound } from '../../../../lib/errors.ts'
import { escapeHtml, renderPage } from '../../../../lib/text/html.ts'
import { getOrganizationById } from '../reads.ts'
import type { Invitation, InvitationDeps } from './record.ts'
import { statusAt } from './rules.ts'
import { findInvitation } from './store.ts'

/** The token identifies the invitation and is the credential for it. */
export async function findByToken(deps: InvitationDeps, token: string): Promise<Invitation> {
  const ids = deps.links.read('invitation', token)
  const found = ids && (await deps.db.inOrg(ids.orgId, (tx) => findInvitation(tx, ids.orgId, ids.id)))
  if (!found) throw notFound('The invitation')
  return found
}

/** The page behind the mailed link. Opening it accepts nothing, because mail clients prefetch links. */
export async function openInvitation(deps: InvitationDeps, token: string): Promise<string> {
  const invitation = await findByToken(deps, token)
  const { name } = await getOrganizationById(deps, invitation.orgId)
  const status = statusAt(invitation, deps.clock.now())
  if (status !== 'pending')
    return renderPage({
      title: `This invitation is ${status}`,
      body: '<p>Ask an administrator of the organisation for a new one.</p>',
    })
  return renderPage({
    title: `Join ${name}`,
    body: `<p>You are invited to join <strong>${escapeHtml(name)}</strong> with the role <strong>${invitation.role}</strong>, until ${invitation.expiresAt.toISOString().slice(0, 10)}.</p>
<p>Sign in to your organisation’s Switchyard application as ${escapeHtml(invitation.email)} and enter this code:</p>
<p><code style="word-break:break-all">${escapeHtml(token)}</code></p>`,
  })
}
