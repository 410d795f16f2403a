import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { queueNotification } from '../notifications/queue-notification.ts'
import { listAdministrators } from '../organizations/members/list-administrators.ts'
import { disableAfterMs } from './rules.ts'
import { disableWebhook, noteHealth } from './store.ts'
import type { Webhook } from './record.ts'

/** Notes since when an endpoint has failed; after five days without one success it is disabled and its people told. */
export async function recordEndpointHealth(
  deps: { db: Database; clock: Clock },
  endpoint: Webhook,
  hasArrived: boolean,
): Promise<void> {
  const { orgId, webhookId, failingSince } = endpoint
  const now = deps.clock.now()
  if (hasArrived !== (failingSince === null))
    await deps.db.inOrg(orgId, (tx) => noteHealth(tx, orgId, webhookId, hasArrived ? null : now))
  const isGivenUp = !hasArrived && failingSince && now.getTime() - failingSince.getTime() >= disableAfterMs
  if (isGivenUp) await disable(deps, endpoint, failingSince)
}

async function disable(deps: { db: Database }, endpoint: Webhook, failingSince: Date): Promise<void> {
  const { orgId, webhookId, endpointUrl } = endpoint
  const administrators = await listAdministrators(deps, orgId)
  await deps.db.inOrg(orgId, async (tx) => {
    if (!(await disableWebhook(tx, orgId, webhookId, failingSince))) return
    for (const { userId, email, firstName, country } of administrators)
      await queueNotification(tx, orgId, {
        userId,
        template: 'webhook-disabled',
        recipient: email,
        country,
        variables: { firstName, endpointUrl },
      })
  })
}
