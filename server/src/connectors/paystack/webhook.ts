import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../../lib/crypto/crypto.ts'
import type { ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { WebhookVerdict } from '../kit/declared.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { dedicatedChannel, eventSchema } from './answers.ts'
import {
  amountOf,
  chargeWords,
  costOf,
  failureCodeOf,
  refundWords,
  stateOf,
  transferWords,
} from './mapping.ts'

const header = 'x-paystack-signature'

export function verifySignature(
  secretKey: string,
  { headers, rawBody }: WebhookRequest,
): WebhookVerdict<'account'> {
  const given = headers[header]
  if (typeof given !== 'string') return { kind: 'forged', reason: `${header} is missing` }
  const expected = Buffer.from(createHmac('sha512', secretKey).update(rawBody).digest('hex'))
  const isGenuine = equalInConstantTime(Buffer.from(given.toLowerCase()), expected)
  return isGenuine ? { kind: 'verified' } : { kind: 'forged', reason: 'the signature is wrong' }
}

/** Events that change a payment. `bank.transfer.rejected` does not: the right amount may still arrive. */
const reportedEvents =
  /^(charge\.(success|failed)|transfer\.(success|failed|reversed)|refund\.(pending|processing|needs-attention|processed|failed))$/
const wordsOf = new Map(Object.entries({ charge: chargeWords, transfer: transferWords, refund: refundWords }))

/** A refund's event contains the payment's reference and does not identify the refund. */
export function readEvent(rawBody: Buffer): ProviderUpdate[] {
  const { event = '', data } = parseAnswer(rawBody.toString('utf8'), eventSchema) ?? {}
  const [kind = '', providerStatus = ''] = event.split('.')
  const words = reportedEvents.test(event) ? wordsOf.get(kind) : undefined
  const reference = kind === 'refund' ? data?.transaction_reference : data?.reference
  if (!words || !data || !reference) return []
  // A deposit to a virtual account is no payment; `readDeposits` reads it.
  if (data.channel === dedicatedChannel) return []
  const { id, refund_reference, transfer_code, amount: reportedMinor } = data
  const amount = amountOf(data)
  return [
    {
      // Events have no id.
      dedupeKey: [event, id ?? refund_reference ?? '', reference, reportedMinor ?? ''].join(':'),
      reference,
      subject: kind === 'refund' ? 'refund' : 'attempt',
      ...(kind === 'refund' && { refundOf: { reference, providerRef: null, refundId: null } }),
      providerRef: transfer_code ?? id ?? null,
      providerStatus,
      state: stateOf(words, providerStatus, failureCodeOf(data)),
      ...(amount && { amount }),
      ...(kind !== 'refund' && { cost: costOf(data) }),
    },
  ]
}
