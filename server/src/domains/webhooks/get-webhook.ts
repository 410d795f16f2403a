import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { endpointDisabled } from './errors.ts'
import { findWebhook, selectWebhooks } from './store.ts'
import type { Webhook } from './record.ts'

export async function getWebhook(
  deps: { db: Database },
  caller: Pick<Caller, 'orgId'>,
  input: { webhookId: string },
): Promise<Webhook> {
  const webhook = await deps.db.inOrg(caller.orgId, (tx) => findWebhook(tx, caller.orgId, input.webhookId))
  if (!webhook) throw notFound('The webhook endpoint')
  return webhook
}

/** For what would be sent to it: nothing is sent to a disabled endpoint. */
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
