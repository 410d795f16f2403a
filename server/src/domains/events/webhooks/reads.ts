import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { endpointDisabled } from './errors.ts'
import type { Webhook } from './record.ts'
import { findWebhook, selectWebhooks } from './store.ts'
import { selectRecentEvents } from './deliveries/store.ts'

export async function getWebhook(
  deps: { db: Database },
  caller: Pick<Caller, 'orgId'>,
  input: { webhookId: string },
): Promise<Webhook> {
  const webhook = await deps.db.inOrg(caller.orgId, (tx) => findWebhook(tx, caller.orgId, input.webhookId))
  if (!webhook) throw notFound('The webhook endpoint')
  return webhook
}

/** For callers that want to send something: throws a 409 when the endpoint is disabled. */
export async function getUsableWebhook(
  deps: { db: Database },
  caller: Pick<Caller, 'orgId'>,
  input: { webhookId: string },
): Promise<Webhook> {
  const webhook = await getWebhook(deps, caller, input)
  if (webhook.status === 'disabled') throw endpointDisabled()
  return webhook
}

export const listWebhooks = (deps: { db: Database }, caller: Caller): Promise<Webhook[]> =>
  deps.db.inOrg(caller.orgId, (tx) => selectWebhooks(tx, caller.orgId))

/** In the caller's transaction: which resources have events since then, without the events' data. */
export const listRecentEvents = (
  tx: Tx,
  orgId: string,
  range: { since: Date; limit: number },
): Promise<{ type: string; id: string; sequence: number }[]> => selectRecentEvents(tx, orgId, range)
