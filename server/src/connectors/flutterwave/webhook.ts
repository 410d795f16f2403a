import { equalInConstantTime } from '../../lib/crypto/crypto.ts'
import { readMoney } from '../../lib/money/money.ts'
import type { ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { WebhookVerdict } from '../kit/declared.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { eventSchema } from './answers.ts'
import { costOf, movementState } from './mapping.ts'

const header = 'verif-hash'

/** The hash is a constant secret and does not cover the body, so a webhook only triggers an inquiry. */
export function verifyHash(secretHash: string, { headers }: WebhookRequest): WebhookVerdict<'nothing'> {
  const given = headers[header]
  const isKnown =
    typeof given === 'string' && equalInConstantTime(Buffer.from(given), Buffer.from(secretHash))
  return isKnown ? { kind: 'unsigned' } : { kind: 'forged', reason: `${header} is not the secret hash` }
}

export function readEvent(rawBody: Buffer): ProviderUpdate[] {
  const { event = '', data } = parseAnswer(rawBody.toString('utf8'), eventSchema) ?? {}
  if (!data?.reference) return []
  const { id: providerRef, reference, status: providerStatus } = data
  const state = movementState(event === 'charge.completed' ? 'payin' : 'payout', data)
  // Events have no id.
  const dedupeKey = [event, providerRef, providerStatus].join(':')
  const amount = readMoney(data.amount, data.currency)
  const cost = costOf(data)
  return [{ dedupeKey, reference, subject: 'attempt', providerRef, providerStatus, state, amount, cost }]
}
