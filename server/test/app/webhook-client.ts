import { Pool } from 'undici'
import { z } from 'zod'

/** Registers webhook endpoints and publishes events through the API of a running installation. */
export type WebhookClient = {
  /** Returns the id of the endpoint. */
  register(endpointUrl: string): Promise<string>
  remove(webhookId: string): Promise<void>
  /** Publishes one event to every endpoint; returns its id. */
  notify(): Promise<string>
  stop(): Promise<void>
}

const registered = z.object({ data: z.object({ webhook_id: z.string() }) })
const notified = z.object({ data: z.object({ event_id: z.string() }) })
const connections = 16

export function createWebhookClient(
  apiUrl: string,
  { orgId, apiKey }: { orgId: string; apiKey: string },
): WebhookClient {
  const http = new Pool(apiUrl, { connections })
  const send = async (method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => {
    const response = await http.request({
      path,
      method,
      headers: {
        authorization: 'NONE',
        'x-api-key': apiKey,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`the api answered ${response.statusCode}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    register: async (endpoint_url) =>
      registered.parse(await send('POST', '/v1/public/webhooks', { endpoint_url })).data.webhook_id,
    remove: async (webhookId) => void (await send('DELETE', `/v1/public/webhooks/${webhookId}`)),
    notify: async () =>
      notified.parse(await send('POST', '/v1/public/webhooks/notify', notification(orgId))).data.event_id,
    stop: () => http.destroy(),
  }
}

const notification = (orgId: string): object => ({
  org_id: orgId,
  transaction_data: {
    transaction_id: 'T-1',
    status: 'completed',
    amount: 1500.5,
    currency: 'NGN',
    updated_at: '2026-11-01T10:00:00Z',
  },
})
