import { z } from 'zod'
import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, ChangeControl, MaybeHeld } from '../change-requests/record.ts'
import { featuresBelongToTheOperator, loosenCardsAlone } from './errors.ts'
import { cardPolicies, type Organization, type OrganizationChange } from './record.ts'
import { toOrganization } from './schema.ts'
import { lockOrganization, updateOrganizationRow } from './store.ts'

export interface UpdateOrganizationDeps {
  db: Database
  changeControl: ChangeControl
}

/** Everything is changed at once, except that card numbers are allowed again only with a second person's approval. */
export function updateOrganization(
  deps: UpdateOrganizationDeps,
  caller: Caller,
  input: { orgId: string } & OrganizationChange,
): Promise<MaybeHeld<Organization>> {
  const { orgId: requestedOrgId, ...change } = input
  const orgId = orgInScope(caller, requestedOrgId, 'write')
  const isOperators =
    change.features !== undefined ||
    change.rateMarginBps !== undefined ||
    change.payoutsRequireKyb !== undefined
  if (isOperators && !caller.permissions.has('platform:write')) throw featuresBelongToTheOperator()
  return deps.db.inOrg(orgId, async (tx) => {
    const before = await lockedOrganization(tx, orgId)
    if (before.cards === 'hosted_only' && change.cards === 'allowed') {
      if (Object.entries(change).some(([name, value]) => name !== 'cards' && value !== undefined))
        throw loosenCardsAlone()
      const held = await deps.changeControl.hold(tx, caller, {
        orgId,
        kind: 'organization.cards',
        payload: { cards: change.cards },
        summary: 'Cards: card numbers may be sent to the API and typed on the payment page again.',
      })
      if (held) return { held }
    }
    return { done: await writeChange(tx, caller, before, change) }
  })
}

async function lockedOrganization(tx: Tx, orgId: string): Promise<Organization> {
  const organization = await lockOrganization(tx, orgId)
  if (!organization) throw notFound('The organisation')
  return organization
}

async function writeChange(
  tx: Tx,
  caller: Caller,
  before: Organization,
  change: OrganizationChange,
): Promise<Organization> {
  const { orgId } = before
  const after = await updateOrganizationRow(tx, orgId, change)
  await recordAudit(tx, caller, orgId, {
    action: 'organization.update',
    resourceType: 'organization',
    resourceId: orgId,
    before: toOrganization(before),
    after: toOrganization(after),
  })
  return after
}

const requestedCards = z.object({ cards: z.enum(cardPolicies) })

export const cardPolicyApplier: ChangeApplier = {
  async apply(tx, approver, { orgId, payload }) {
    await writeChange(tx, approver, await lockedOrganization(tx, orgId), requestedCards.parse(payload))
  },
}
