import { Pool } from 'undici'
import { z } from 'zod'

/** Registers webhook endpoints and publishes events through the API of a running installation. */
export type WebhookClient = {
  register(endpointUrl: string): Promise<string>
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
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await http.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'NONE', 'x-api-key': apiKey },
      body: JSON.stringify(body),
    })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`the api answered ${response.statusCode}: ${text}`)
    return JSON.parse(text)
  }
  return {
    register: async (endpoint_url) =>
      registered.parse(await post('/v1/public/webhooks', { endpoint_url })).data.webhook_id,
    notify: async () =>
      notified.parse(await post('/v1/public/webhooks/notify', notification(orgId))).data.event_id,
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
