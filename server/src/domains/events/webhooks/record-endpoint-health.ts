import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { queueNotification } from '../../people/notifications/queue-notification.ts'
import { listAdministrators } from '../../people/organizations/members/reads.ts'
import { disableAfterMs } from './rules.ts'
import type { Webhook } from './record.ts'
import { disableWebhook, updateFailingSince } from './store.ts'

type WatchedEndpoint = Pick<Webhook, 'orgId' | 'webhookId' | 'endpointUrl' | 'failingSince'>

/** Disables an endpoint after five days without a success, and notifies the administrators of its organisation. */
export async function recordEndpointHealth(
  deps: { db: Database; clock: Clock },
  endpoint: WatchedEndpoint,
  hasSucceeded: boolean,
): Promise<void> {
  const { orgId, webhookId, failingSince } = endpoint
  const now = deps.clock.now()
  if (hasSucceeded !== (failingSince === null))
    await deps.db.inOrg(orgId, (tx) => updateFailingSince(tx, orgId, webhookId, hasSucceeded ? null : now))
  if (hasSucceeded || !failingSince) return
  if (now.getTime() - failingSince.getTime() >= disableAfterMs) await disable(deps, endpoint, failingSince)
}

async function disable(deps: { db: Database }, endpoint: WatchedEndpoint, failingSince: Date): Promise<void> {
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
