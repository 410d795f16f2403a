import type { KybApplication } from '../../connectors/kit/kyb-provider.ts'
import type { Tx } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { kybNotSetUp, kybRefused, kybRejectedForGood, kybUnavailable, kybUnderWay } from './errors.ts'
import type { KybRow, StartedKyb, KybDeps } from './record.ts'
import { mayInitiate, type KybStatus } from './rules.ts'
import { lockKyb, setInitiated } from './store.ts'

/**
 * Opens or continues the organisation's file at the provider. People and documents are in the request's memory
 * and go on from there; of all that, only the provider's name for the organisation is kept.
 */
export async function initiateKyb(deps: KybDeps, caller: Caller, input: KybApplication): Promise<StartedKyb> {
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
  const status = await deps.db.inOrg(orgId, async (tx) => {
    const after = await statusAfter(tx, before)
    await setInitiated(tx, orgId, { customerId, status: after })
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

/** What the provider has told meanwhile stands: its news may overtake its answer. */
async function statusAfter(tx: Tx, before: KybRow): Promise<KybStatus> {
  const now = await lockKyb(tx, before.orgId)
  const hasNews = now && now.newsAt?.getTime() !== before.newsAt?.getTime()
  return hasNews ? now.status : 'pending'
}

async function lockOpenKyb(tx: Tx, orgId: string): Promise<KybRow> {
  const row = await lockKyb(tx, orgId)
  if (!row) throw notFound('The organisation')
  if (!mayInitiate[row.status]) throw kybUnderWay(row.status)
  if (row.isFinal) throw kybRejectedForGood()
  return row
}
