import type { ProviderUpdate } from '../kit/connector.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readMessage } from '../kit/sns.ts'
import { notificationSchema } from './answers.ts'
import { nameOf, stateOf } from './mapping.ts'

/** None carries a reference of ours: each names what we know by Circle's own name for it. */
export function readWebhook(rawBody: Buffer): ProviderUpdate[] {
  const message = readMessage(rawBody)
  const told = message?.Type === 'Notification' ? parseAnswer(message.Message, notificationSchema) : undefined
  const movement = told?.deposit ?? told?.payout ?? told?.transfer
  // What is on its way may be told before we were answered.
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
