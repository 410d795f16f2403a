import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { WebhookVerdict } from '../kit/declared.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { eventSchema } from './answers.ts'
import { stateOf } from './mapping.ts'

const header = 'x-yc-signature'

export function verifySignature(
  secretKey: string,
  { headers, rawBody }: WebhookRequest,
): WebhookVerdict<'account'> {
  const given = headers[header]
  if (typeof given !== 'string') return { kind: 'forged', reason: `${header} is missing` }
  const expected = createHmac('sha256', secretKey).update(rawBody).digest()
  const signature = Buffer.from(given, 'base64')
  const isGenuine = signature.length === expected.length && timingSafeEqual(signature, expected)
  return isGenuine ? { kind: 'verified' } : { kind: 'forged', reason: 'the signature is wrong' }
}

/** RECEIVE and COLLECTION mean fiat in, SEND and PAYMENT fiat out; the API has used both names. */
const directions: Readonly<Record<string, 'on_ramp' | 'off_ramp'>> = {
  RECEIVE: 'on_ramp',
  COLLECTION: 'on_ramp',
  SEND: 'off_ramp',
  PAYMENT: 'off_ramp',
}

export function readEvent(rawBody: Buffer): ProviderUpdate[] {
  const event = parseAnswer(rawBody.toString('utf8'), eventSchema)
  const direction = directions[event?.event.split('.')[0]?.toUpperCase() ?? '']
  if (!event || direction === undefined) return []
  return [
    {
      // Events have no id.
      dedupeKey: `${event.id}:${event.event}`,
      reference: event.sequenceId,
      subject: 'attempt',
      providerRef: event.id,
      providerStatus: event.status,
      state: stateOf(event.status, event.errorCode, direction),
    },
  ]
}
