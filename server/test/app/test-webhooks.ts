import { attemptDelivery } from '../../src/domains/events/webhooks/deliveries/attempt-delivery.ts'
import type { DeliveryDeps } from '../../src/domains/events/webhooks/deliveries/record.ts'
import { newId } from '../../src/lib/ids.ts'
import { openOrganization, type OpenedOrganization } from './people.ts'
import type { CallAnswer, Json, TestApp } from './test-app.ts'

export const webhooksPath = '/v1/public/webhooks'

/** The webhooks of one organisation; deliveries are attempted only when a test asks for it. */
export interface OrgWebhooks extends OpenedOrganization {
  call(method: string, path: string, body?: Json): Promise<CallAnswer>
  /** The endpoint with its secret. */
  register(url: string, more?: object): Promise<Json>
  notify(change?: object): Promise<Json>
  /** Sends a notification to the only endpoint and returns the id of the delivery. */
  deliverTo(webhookId: string): Promise<string>
  attempt(deliveryId: string, change?: Partial<DeliveryDeps>): Promise<number | null>
  delivery(webhookId: string, deliveryId: string): Promise<Json>
}

export const transactionData = (change: object = {}): Json => ({
  transaction_id: newId(),
  status: 'completed',
  amount: 1500,
  currency: 'NGN',
  updated_at: '2026-11-01T10:00:00Z',
  ...change,
})

export async function openWebhooks(t: TestApp): Promise<OrgWebhooks> {
  const opened = await openOrganization(t)
  const { orgId, admin } = opened
  const call: OrgWebhooks['call'] = (method, path, body) =>
    t.call(method, `${webhooksPath}${path}`, { as: admin.token, ...(body !== undefined && { body }) })
  const notify: OrgWebhooks['notify'] = async (change) =>
    (await call('POST', '/notify', { org_id: orgId, transaction_data: transactionData(change) })).body.data
  return {
    ...opened,
    call,
    notify,
    register: async (url, more = {}) => (await call('POST', '', { endpoint_url: url, ...more })).body.data,
    async deliverTo(webhookId) {
      const { deliveries } = await notify()
      return deliveries.find((made: Json) => made.webhook_id === webhookId).delivery_id
    },
    attempt: (deliveryId, change = {}) =>
      attemptDelivery({ ...t.deps, chance: () => 0, ...change }, { orgId, deliveryId, hasWaited: false }),
    delivery: async (webhookId, deliveryId) =>
      (await call('GET', `/${webhookId}/deliveries/${deliveryId}`)).body.data,
  }
}
