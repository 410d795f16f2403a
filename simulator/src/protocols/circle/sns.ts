import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '../../core/transaction.ts'
import type { UnsignedWebhook, WebhookDraft } from '../../protocol.ts'
import { SANDBOX_SIGNING_KEY } from './sandbox-key.ts'
import { present } from './wire.ts'

export const TOPIC = 'arn:aws:sns:us-east-1:908968368384:sandbox_platform-notifications-topic'
export const CERTIFICATE_NAME = 'SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem'
const SNS = 'https://sns.us-east-1.amazonaws.com/'
const contentType = 'text/plain; charset=UTF-8'

/** A message of Circle. Webhooks sent by hand can have a status that differs from the record's. */
export function webhooksFor(transaction: Transaction, event?: string): WebhookDraft[] {
  const { operation, method } = transaction
  const fiat = operation === 'collect' ? 'deposit' : 'payout'
  const resource = method === 'crypto' ? 'transfer' : fiat
  const status = event?.split('.')[1]
  const shown = { ...present(transaction), ...(status !== undefined && { status }) }
  const clientId = '00000000-0000-0000-0000-000000000001'
  const message = {
    clientId,
    notificationType: `${resource}s`,
    version: 1,
    customAttributes: { clientId },
    [resource]: shown,
  }
  return [{ event: `${resource}s.${String(shown['status'])}`, body: JSON.stringify(message), contentType }]
}

export function confirmationDraft(url: string, token: string): WebhookDraft {
  const SubscribeURL = `${SNS}?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=${token}`
  const Message = `You have chosen to subscribe to the topic ${TOPIC}.`
  const body = JSON.stringify({ Type: 'SubscriptionConfirmation', Token: token, SubscribeURL, Message })
  return { event: 'SubscriptionConfirmation', body, contentType, url }
}

const confirmationSchema = z.object({
  Type: z.literal('SubscriptionConfirmation'),
  Token: z.string(),
  SubscribeURL: z.string(),
  Message: z.string(),
})

/** Wraps Circle's message into a signed message of Amazon SNS. */
export function signBody({ body, at, forged }: UnsignedWebhook): string {
  const confirmation = confirmationSchema.safeParse(JSON.parse(body)).data
  const own = confirmation ?? { Type: 'Notification', Message: body }
  const fields: Record<string, string> = {
    ...own,
    MessageId: randomUUID(),
    TopicArn: TOPIC,
    Timestamp: at.toISOString(),
  }
  const signed = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}\n${fields[name]}\n`)
    .join('')
  const signature = sign('RSA-SHA1', Buffer.from(signed), forged ? otherKey() : SANDBOX_SIGNING_KEY)
  return JSON.stringify({
    ...fields,
    SignatureVersion: '1',
    Signature: signature.toString('base64'),
    SigningCertURL: `${SNS}${CERTIFICATE_NAME}`,
    ...(!confirmation && { UnsubscribeURL: `${SNS}?Action=Unsubscribe&SubscriptionArn=${TOPIC}:1` }),
  })
}

export const signatureHeaders = ({ body }: UnsignedWebhook): Record<string, string> => ({
  'x-amz-sns-message-type': /^\{"Type":"(\w+)"/.exec(body)?.[1] ?? '',
  'x-amz-sns-topic-arn': TOPIC,
})

let other: KeyObject | undefined
const otherKey = (): KeyObject => (other ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
