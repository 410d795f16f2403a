import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { useApp, type Json } from '../../../../../test/app/test-app.ts'
import { useReceiver, type ReceivedEvent } from '../../../../../test/app/test-receiver.ts'
import { openWebhooks, type OrgWebhooks } from '../../../../../test/app/test-webhooks.ts'

const t = useApp()
const receiver = useReceiver()
let org: OrgWebhooks
let webhook: Json

beforeEach(async () => {
  org = await openWebhooks(t)
  webhook = await org.register(receiver.url)
})

async function deliver(): Promise<ReceivedEvent> {
  await org.attempt(await org.deliverTo(webhook.webhook_id))
  return receiver.received.at(-1)!
}

const verify = (secret: string, { body, headers }: ReceivedEvent, changed = body): unknown =>
  new Webhook(secret).verify(changed, headers as Record<string, string>)

describe('the standardwebhooks package', () => {
  it('verifies a delivery and returns the event', async () => {
    const sent = await deliver()
    expect(verify(webhook.secret_key, sent)).toMatchObject({
      event_id: sent.headers['webhook-id'],
      event_type: 'transaction.updated',
      org_id: org.orgId,
    })
  })

  it('rejects a changed body and another secret', async () => {
    const sent = await deliver()
    expect(() => verify(webhook.secret_key, sent, sent.body.replace('1500', '9500'))).toThrow(
      WebhookVerificationError,
    )
    const other = await org.register(receiver.url)
    expect(() => verify(other.secret_key, sent)).toThrow(WebhookVerificationError)
  })

  it('verifies with the old and with the new secret during a rotation', async () => {
    const rotated = await org.call('POST', `/${webhook.webhook_id}/rotate-secret`)
    const { secret_key: newer } = rotated.body.data
    expect(newer).not.toBe(webhook.secret_key)
    const sent = await deliver()
    for (const secret of [webhook.secret_key, newer])
      expect(verify(secret, sent)).toMatchObject({ event_id: sent.headers['webhook-id'] })
  })
})
