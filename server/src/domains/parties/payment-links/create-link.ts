import { randomBytes } from 'node:crypto'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { isAllowedReturnUrl } from '../../../lib/net/return-target.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import { badExpiry, refusedReturnUrl } from './errors.ts'
import type { LinkDeps, LinkTerms, LinkWithStatus, PaymentLink } from './record.ts'
import { insertLink } from './store.ts'

const refBytes = 20
const dayMs = 24 * 60 * 60_000
const defaultLifetimeMs = 30 * dayMs
const longestLifetimeMs = 366 * dayMs

export const linkContext = (linkId: string): string => `payment link ${linkId}`

export async function createLink(
  deps: LinkDeps,
  caller: Caller,
  input: LinkTerms & { orgId: string },
): Promise<LinkWithStatus> {
  const { orgId: requested, email, expiresAt: wantedExpiry, ...terms } = input
  const orgId = orgInScope(caller, requested, 'write')
  const now = deps.clock.now()
  const expiresAt = wantedExpiry ?? new Date(now.getTime() + defaultLifetimeMs)
  assertExpiry(expiresAt, now)
  await assertReturnUrl(deps, orgId, terms.returnUrl)
  const linkId = newId()
  const link: LinkWithStatus = {
    ...terms,
    orgId,
    linkId,
    linkRef: randomBytes(refBytes).toString('base64url'),
    userId: caller.userId,
    email,
    status: 'active',
    version: 1,
    paymentId: null,
    paymentStatus: null,
    sessionHash: null,
    orgRateId: null,
    expiresAt,
    paidAt: null,
    createdAt: now,
  }
  const privateSealed = await sealPrivate(deps, link)
  await deps.db.inOrg(orgId, async (tx) => {
    await insertLink(tx, orgId, { ...link, privateSealed })
    await recordAudit(tx, caller, orgId, { action: 'payment-link.create', ...auditOf(link) })
  })
  return link
}

export function assertExpiry(expiresAt: Date, now: Date): void {
  if (expiresAt <= now) throw badExpiry('must be in the future')
  if (expiresAt.getTime() - now.getTime() > longestLifetimeMs) throw badExpiry('must be within a year')
}

export async function assertReturnUrl(
  deps: Pick<LinkDeps, 'db' | 'returnUrlPolicy'>,
  orgId: string,
  returnUrl: string | null,
): Promise<void> {
  if (returnUrl === null) return
  const organization = await getOrganizationById(deps, orgId)
  if (!isAllowedReturnUrl(returnUrl, organization, deps.returnUrlPolicy)) throw refusedReturnUrl()
}

export const sealPrivate = (
  deps: Pick<LinkDeps, 'vault'>,
  { orgId, linkId, email }: Pick<PaymentLink, 'orgId' | 'linkId' | 'email'>,
): Promise<Buffer> => deps.vault.seal(orgId, linkContext(linkId), { email }, linkContext(linkId))

/** As the API shows it, without sealed data and without the reference that opens the page. */
export const auditOf = (link: PaymentLink) => ({
  resourceType: 'payment-link',
  resourceId: link.linkId,
  after: {
    status: link.status,
    amount_type: link.amountType,
    amount_minor: link.amount.amountMinor.toString(),
    currency: link.amount.currency,
    payer_currency: link.payerCurrency,
    description: link.description,
    return_url: link.returnUrl,
    expires_at: link.expiresAt.toISOString(),
  },
})
