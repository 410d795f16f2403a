import type { CompiledQuery } from 'kysely'
import { selectWebhooksOf } from './store.ts'
import type { Webhook } from './record.ts'

export type Endpoint = Webhook

/** A statement for the batch that reads deliveries: the endpoints that they go to. */
export const selectEndpointsOf = (orgId: string, deliveryIds: readonly string[]): CompiledQuery =>
  selectWebhooksOf(orgId, deliveryIds)

/** What that statement gives, by id. */
export const toEndpoints = (rows: readonly object[]): Map<string, Endpoint> =>
  new Map((rows as Endpoint[]).map((endpoint) => [endpoint.webhookId, endpoint])) // the columns that it names
