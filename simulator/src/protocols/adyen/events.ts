import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '../../core/transaction.ts'
import type { UnsignedWebhook, WebhookDraft } from '../../protocol.ts'
import { detailsOf } from './payments.ts'
import { isTransfer, presentTransfer } from './transfers.ts'
import { amountOf } from './wire.ts'

const contentType = 'application/json; charset=utf-8'

export function webhooksFor(transaction: Transaction, event?: string): WebhookDraft[] {
  return isTransfer(transaction) ? transferEvents(transaction) : itemEvents(transaction, event)
}

function transferEvents(transfer: Transaction): WebhookDraft[] {
  const type = 'balancePlatform.transfer.updated'
  const data = { ...presentTransfer(transfer), updatedAt: transfer.updatedAt, sequenceNumber: 2 }
  const body = JSON.stringify({ data, environment: 'test', timestamp: transfer.updatedAt, type })
  return [{ event: type, body, contentType }]
}

/** Adyen sends no webhook for open states. */
function itemEvents(transaction: Transaction, event: string | undefined): WebhookDraft[] {
  const { operation, state, failure, providerRef, updatedAt } = transaction
  const isSilent = state === 'action_required' || state === 'pending'
  if (isSilent && event === undefined) return []
  const { merchantReference, merchantAccount, originalReference, linkId } = detailsOf(transaction)
  const isReversed = state === 'reversed'
  const codes = operation === 'refund' ? ['REFUND', 'REFUND_FAILED'] : ['AUTHORISATION', 'CAPTURE_FAILED']
  const eventCode = event ?? codes[isReversed ? 1 : 0] ?? ''
  const item = {
    additionalData: { hmacSignature: '', ...(linkId !== undefined && { paymentLinkId: linkId }) },
    amount: amountOf(transaction),
    eventCode,
    eventDate: updatedAt,
    merchantAccountCode: merchantAccount,
    merchantReference,
    ...(originalReference !== undefined && { originalReference }),
    paymentMethod: 'visa',
    pspReference: providerRef,
    reason: failure?.message ?? '',
    success: String(state === 'completed' || isReversed),
  }
  const body = JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] })
  return [{ event: eventCode, body, contentType }]
}

const signedSchema = z.looseObject({
  pspReference: z.string(),
  originalReference: z.string().default(''),
  merchantAccountCode: z.string(),
  merchantReference: z.string(),
  amount: z.object({ value: z.int(), currency: z.string() }),
  eventCode: z.string(),
  success: z.string(),
})
const notificationSchema = z.object({
  notificationItems: z.array(
    z.object({ NotificationRequestItem: z.looseObject({ additionalData: z.looseObject({}) }) }),
  ),
})

const mac = (key: string | undefined, text: string): string =>
  createHmac('sha256', Buffer.from(key ?? '', 'hex'))
    .update(text)
    .digest('base64')

/** Each item of a payment webhook carries its signature in the body. */
export function signBody({ account, body }: UnsignedWebhook): string {
  const parsed = notificationSchema.safeParse(JSON.parse(body))
  if (!parsed.success) return body
  for (const { NotificationRequestItem: item } of parsed.data.notificationItems) {
    const signed = signedSchema.parse(item)
    const { pspReference, originalReference, merchantAccountCode, merchantReference } = signed
    const { amount, eventCode, success } = signed
    const names = [pspReference, originalReference, merchantAccountCode, merchantReference]
    const text = [...names, amount.value, amount.currency, eventCode, success].join(':')
    item.additionalData['hmacSignature'] = mac(account.secrets['hmac_key'], text)
  }
  return JSON.stringify({ live: 'false', ...parsed.data })
}

/** Transfer webhooks have one signature in a header. */
export function signWebhook({ account, body }: UnsignedWebhook): Record<string, string> {
  if (body.includes('"notificationItems"')) return {}
  return { hmacsignature: mac(account.secrets['transfers_hmac_key'], body), protocol: 'HmacSHA256' }
}
