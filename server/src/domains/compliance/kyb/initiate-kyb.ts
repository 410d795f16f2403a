import type { KybApplication } from '../../../connectors/kit/kyb-provider.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { KybStatus, OrganizationKyb } from '../../people/organizations/record.ts'
import { lockKyb, updateKyb } from '../../people/organizations/update-kyb.ts'
import { kybNotSetUp, kybRefused, kybRejectedForGood, kybUnavailable, kybInProgress } from './errors.ts'
import type { KybStartDeps, StartedKyb } from './record.ts'
import { storePeople, prepareScreening } from './screen-people.ts'
import { mayInitiate } from './rules.ts'

/**
 * Opens or continues the organisation's application at the provider. People and documents are passed on and not stored,
 * but for the names, dates of birth and countries that are screened.
 */
export async function initiateKyb(
  deps: KybStartDeps,
  caller: Caller,
  input: KybApplication,
): Promise<StartedKyb> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { kyb } = deps
  if (!kyb) throw kybNotSetUp()
  const before = await deps.db.inOrg(orgId, (tx) => lockOpenKyb(tx, orgId))
  const started = await kyb.start({ ...input, orgId })
  if (started.kind !== 'started') {
    deps.log.warn({ orgId, provider: kyb.name, reason: started.reason }, 'KYB was not started')
    throw started.kind === 'refused' ? kybRefused() : kybUnavailable()
  }
  const { customerId } = started
  const screening = await prepareScreening(deps, orgId, input)
  const status = await deps.db.inOrg(orgId, async (tx) => {
    const after = await statusAfter(tx, before)
    await storePeople(tx, orgId, screening)
    await updateKyb(tx, orgId, {
      customerId,
      status: after,
      submitted: { name: before.name, country: before.country },
      ...(after === 'pending' && { reason: null }),
    })
    await recordAudit(tx, caller, orgId, {
      action: 'kyb.initiate',
      resourceType: 'organization',
      resourceId: orgId,
      before: { kyb_status: before.status, kyb_customer_id: before.customerId },
      after: { kyb_status: after, kyb_customer_id: customerId },
    })
    return after
  })
  return { ...started, orgId, provider: kyb.name, status }
}

/** The provider's webhook may arrive before its answer to our call; then the webhook's status applies. */
async function statusAfter(tx: Tx, before: OrganizationKyb): Promise<KybStatus> {
  const now = await lockKyb(tx, before.orgId)
  const hasNews = now && now.newsAt?.getTime() !== before.newsAt?.getTime()
  return hasNews ? now.status : 'pending'
}

async function lockOpenKyb(tx: Tx, orgId: string): Promise<OrganizationKyb> {
  const row = await lockKyb(tx, orgId)
  if (!row) throw notFound('The organisation')
  const isOutdated = row.status === 'approved' && row.verified !== undefined
  if (!isOutdated && !mayInitiate[row.status]) throw kybInProgress(row.status)
  if (row.isFinal) throw kybRejectedForGood()
  return row
}
