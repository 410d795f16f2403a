import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderUpdate, WebhookRequest, WebhookVerdict } from '../kit/connector.ts'
import { dedicatedChannel, eventSchema, jsonOf } from './answers.ts'
import { chargeWords, failureCodeOf, refundWords, stateOf, transferWords, type Words } from './mapping.ts'

const header = 'x-paystack-signature'

export function verifySignature(secretKey: string, { headers, rawBody }: WebhookRequest): WebhookVerdict {
  const given = headers[header]
  if (typeof given !== 'string') return { kind: 'forged', reason: `${header} is not there once` }
  const expected = Buffer.from(createHmac('sha512', secretKey).update(rawBody).digest('hex'))
  const signature = Buffer.from(given.toLowerCase())
  const isGenuine = signature.length === expected.length && timingSafeEqual(signature, expected)
  return isGenuine ? { kind: 'verified' } : { kind: 'forged', reason: 'the signature does not fit the body' }
}

/** Those that move a payment. `bank.transfer.rejected` names none, and the right amount may still come. */
const told = new Map<string, Words>([
  ['charge.success', chargeWords],
  ['charge.failed', chargeWords],
  ['transfer.success', transferWords],
  ['transfer.failed', transferWords],
  ['transfer.reversed', transferWords],
  ['refund.pending', refundWords],
  ['refund.processing', refundWords],
  ['refund.needs-attention', refundWords],
  ['refund.processed', refundWords],
  ['refund.failed', refundWords],
])

/** A refund's event has the payment's reference: Paystack does not say which of its refunds it is about. */
export function readEvent(rawBody: Buffer): ProviderUpdate[] {
  const { event, data } = eventSchema.safeParse(jsonOf(rawBody.toString('utf8'))).data ?? {}
  const words = told.get(event ?? '')
  const reference = words === refundWords ? data?.transaction_reference : data?.reference
  if (!words || !event || !data || !reference) return []
  // A deposit to a virtual account, which is no payment: readDeposits reads it.
  if (data.channel === dedicatedChannel) return []
  const { id, refund_reference, transfer_code, amount: amountMinor, currency } = data
  const providerStatus = event.slice(event.indexOf('.') + 1)
  return [
    {
      // Events have no id of their own.
      dedupeKey: [event, id ?? refund_reference ?? '', reference, amountMinor ?? ''].join(':'),
      reference,
      subject: words === refundWords ? 'refund' : 'attempt',
      providerRef: transfer_code ?? id ?? null,
      providerStatus,
      state: stateOf(words, providerStatus, failureCodeOf(data)),
      ...(amountMinor && currency && { amount: { amountMinor, currency } }),
    },
  ]
}
