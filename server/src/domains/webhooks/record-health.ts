import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { queueNotification } from '../notifications/queue-notification.ts'
import { listAdministrators } from '../organizations/list-administrators.ts'
import { disableAfterMs } from './rules.ts'
import { updateWebhook, type Webhook } from './store.ts'

/** Notes since when an endpoint has failed; after five days without one success it is disabled and its people told. */
export async function recordEndpointHealth(
  deps: { db: Database; clock: Clock },
  endpoint: Webhook,
  hasArrived: boolean,
): Promise<void> {
  const { orgId, webhookId, failingSince } = endpoint
  const now = deps.clock.now()
  if (hasArrived) {
    if (failingSince)
      await deps.db.inOrg(orgId, (tx) => updateWebhook(tx, orgId, webhookId, { failingSince: null }))
    return
  }
  if (!failingSince) {
    await deps.db.inOrg(orgId, (tx) => updateWebhook(tx, orgId, webhookId, { failingSince: now }))
    return
  }
  if (now.getTime() - failingSince.getTime() < disableAfterMs) return
  await disable(deps, endpoint)
}

async function disable(deps: { db: Database }, endpoint: Webhook): Promise<void> {
  const { orgId, webhookId, endpointUrl } = endpoint
  const administrators = await listAdministrators(deps, orgId)
  await deps.db.inOrg(orgId, async (tx) => {
    await updateWebhook(tx, orgId, webhookId, { status: 'disabled' })
    for (const { userId, email, firstName } of administrators)
      await queueNotification(tx, orgId, {
        userId,
        template: 'webhook-disabled',
        recipient: email,
        variables: { firstName, endpointUrl },
      })
  })
}
