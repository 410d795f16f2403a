import type { ProviderUpdate } from '../kit/connector.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readMessage } from '../kit/sns.ts'
import { notificationSchema } from './answers.ts'
import { nameOf, stateOf } from './mapping.ts'

/** Webhooks contain no reference of ours, so payments are matched by Circle's id. */
export function readWebhook(rawBody: Buffer): ProviderUpdate[] {
  const message = readMessage(rawBody)
  const notification =
    message?.Type === 'Notification' ? parseAnswer(message.Message, notificationSchema) : undefined
  const movement = notification?.deposit ?? notification?.payout ?? notification?.transfer
  // A webhook may arrive before the answer to our request.
  if (!movement || stateOf(movement).state === 'processing') return []
  const name = nameOf(movement)
  return [
    {
      dedupeKey: `${movement.id}:${movement.status}`,
      reference: name,
      subject: 'attempt',
      providerRef: name,
      providerStatus: movement.status,
      state: stateOf(movement),
    },
  ]
}
