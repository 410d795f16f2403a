import { z } from 'zod'
import { answer, startTestReceiver, type TestReceiver } from '@switchyard/server/test/app/test-receiver.ts'
import type { ApiClient } from '../shared/api-client.ts'
import type { CrashOrg } from './people.ts'

export type Endpoint = {
  path: string
  webhookId: string
  orgId: string
  secret: string
  events: string[] | null
}

export type Receivers = { receiver: TestReceiver; endpoints: Endpoint[] }

const registered = z.object({ data: z.object({ webhook_id: z.string(), secret_key: z.string() }) })

const subscriptions: readonly (string[] | null)[] = [null, ['payment.completed', 'payment.failed']]
const brokenEvery = 17
const silentEvery = 41

/** Registers two endpoints per organisation, which sometimes refuse an event or do not answer. */
export async function openReceivers(client: ApiClient, orgs: readonly CrashOrg[]): Promise<Receivers> {
  const receiver = await startTestReceiver()
  receiver.behave = (response, request) => {
    const count = receiver.received.length
    const isFirstTry = request.headers['x-service-attempt'] === '1'
    if (isFirstTry && count % silentEvery === 0) return
    if (isFirstTry && count % brokenEvery === 0) return answer(500)(response, request)
    return answer(200)(response, request)
  }
  const endpoints: Endpoint[] = []
  for (const org of orgs)
    for (const [index, events] of subscriptions.entries())
      endpoints.push(
        await register(client, org, { path: `/${org.orgId}/${index}`, base: receiver.url, events }),
      )
  return { receiver, endpoints }
}

async function register(
  client: ApiClient,
  org: CrashOrg,
  { path, base, events }: { path: string; base: string; events: string[] | null },
): Promise<Endpoint> {
  const body = JSON.stringify({ endpoint_url: `${base}${path}`, ...(events && { events }) })
  const made = await client.call({ key: org.approver, method: 'POST', path: '/v1/public/webhooks', body })
  if (made?.status !== 201) throw new Error(`an endpoint was not registered: ${made?.text}`)
  const { webhook_id: webhookId, secret_key: secret } = registered.parse(made.body).data
  return { path, webhookId, orgId: org.orgId, secret, events }
}
