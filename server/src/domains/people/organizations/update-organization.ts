import { z } from 'zod'
import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, ChangeControl, MaybeHeld } from '../change-requests/record.ts'
import { featuresBelongToTheOperator, loosenCardsAlone, loosenTermsAlone } from './errors.ts'
import { cardPolicies, type Organization, type OrganizationChange } from './record.ts'
import { verifiedAfter } from './rules.ts'
import { toOrganization } from './schema.ts'
import { lockOrganization, updateOrganizationRow } from './store.ts'

export interface UpdateOrganizationDeps {
  db: Database
  changeControl: ChangeControl
}

/**
 * Everything is changed at once, except that card numbers are allowed again only with a second person's approval, and
 * that other terms of the operator take a second operator.
 */
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
  if (isOperators) return deps.db.acrossOrgs((tx) => changeTerms(deps, tx, caller, { orgId, change }))
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

/** A waived verification and another margin wait for a second operator. Features and a stricter rule do not. */
async function changeTerms(
  deps: UpdateOrganizationDeps,
  tx: Tx,
  caller: Caller,
  { orgId, change }: { orgId: string; change: OrganizationChange },
): Promise<MaybeHeld<Organization>> {
  const before = await lockedOrganization(tx, orgId)
  if (!isLooser(before, change)) return { done: await writeChange(tx, caller, before, change) }
  const { payoutsRequireKyb, rateMarginBps, ...others } = change
  if (Object.values(others).some((value) => value !== undefined)) throw loosenTermsAlone()
  const held = await deps.changeControl.holdForOperators(tx, caller, {
    orgId,
    kind: 'organization.terms',
    payload: { payouts_require_kyb: payoutsRequireKyb, rate_margin_bps: rateMarginBps },
    summary: `Terms of ${before.name}: ${describeTerms({ payoutsRequireKyb, rateMarginBps })}.`,
  })
  return held ? { held } : { done: await writeChange(tx, caller, before, change) }
}

const isLooser = (before: Organization, { payoutsRequireKyb, rateMarginBps }: OrganizationChange): boolean =>
  (before.payoutsRequireKyb && payoutsRequireKyb === false) ||
  (rateMarginBps !== undefined && rateMarginBps !== before.rateMarginBps)

const describeTerms = ({ payoutsRequireKyb, rateMarginBps }: OrganizationChange): string =>
  [
    payoutsRequireKyb === false && 'payouts without verification',
    rateMarginBps !== undefined && `a margin of ${rateMarginBps} basis points on exchange rates`,
  ]
    .filter((part) => part !== false)
    .join(', ')

const requestedTerms = z.object({
  payouts_require_kyb: z.boolean().optional(),
  rate_margin_bps: z.int().optional(),
})

export const termsApplier: ChangeApplier = {
  isOperators: true,
  async apply(tx, approver, { orgId, payload }) {
    const terms = requestedTerms.parse(payload)
    await writeChange(tx, approver, await lockedOrganization(tx, orgId), {
      payoutsRequireKyb: terms.payouts_require_kyb,
      rateMarginBps: terms.rate_margin_bps,
    })
  },
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
  const verified = verifiedAfter(before, change)
  const after = await updateOrganizationRow(tx, orgId, {
    ...change,
    ...(verified !== undefined && { verified }),
  })
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
