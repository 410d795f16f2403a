import { equalInConstantTime, hmac } from '../../lib/crypto/crypto.ts'
import type { ProviderDeposit } from '../kit/accounts.ts'
import type { ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { WebhookVerdict } from '../kit/declared.ts'
import type { ProviderState } from '../kit/state.ts'
import { failedWith } from '../kit/failures.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readWireMoney } from '../kit/provider-exponents.ts'
import { notificationSchema, transferEventSchema, type Item, type Transfer } from './answers.ts'
import type { AdyenCredentials } from './credentials.ts'
import { depositOf, isIncoming, isUnexplained } from './deposits.ts'
import { transferState } from './mapping.ts'
import { linkMark } from './requests.ts'

export const itemsOf = (rawBody: Buffer): Item[] =>
  parseAnswer(rawBody.toString('utf8'), notificationSchema) ?? []

const isSigned = (hexKeys: readonly string[], signed: string | Buffer, signature: string): boolean =>
  hexKeys.some((key) => {
    const expected = hmac(Buffer.from(key, 'hex'), signed)
    return equalInConstantTime(Buffer.from(signature, 'base64'), expected)
  })

/** Exactly the fields that are read below, because the signature covers no others. */
function signedText(item: Item): string {
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount } = item
  const names = [pspReference, originalReference ?? '', merchantAccountCode, merchantReference]
  return [...names, amount.value, amount.currency, item.eventCode, item.success].join(':')
}

/** Transfers have one signature in a header; payments have one for each item in the body. */
export function verifyWebhook(
  { hmacKeys, transfers, merchantAccount }: AdyenCredentials,
  { headers, rawBody }: WebhookRequest,
): WebhookVerdict<'account'> {
  const header = transfers && headers[transfers.signatureHeader]
  if (transfers && typeof header === 'string') {
    const isGenuine = isSigned(transfers.hmacKeys, rawBody, header)
    return isGenuine ? { kind: 'verified' } : { kind: 'forged', reason: 'wrong signature of a transfer' }
  }
  const items = itemsOf(rawBody)
  const isGenuine = items.every(
    (item) =>
      item.merchantAccountCode === merchantAccount &&
      isSigned(hmacKeys, signedText(item), item.additionalData.hmacSignature),
  )
  const isTrusted = items.length > 0 && isGenuine
  return isTrusted ? { kind: 'verified' } : { kind: 'forged', reason: 'an item has no valid signature' }
}

export function readWebhook(credentials: AdyenCredentials, rawBody: Buffer): ProviderUpdate[] {
  // In a body with both, only the items are verified, so only they are read.
  const items = itemsOf(rawBody)
  if (items.length > 0) return items.flatMap((item) => readItem(credentials, item))
  const event = parseAnswer(rawBody.toString('utf8'), transferEventSchema)
  if (!event || (event.data.category ?? 'bank') !== 'bank') return []
  const { id: providerRef, status: providerStatus, amount } = event.data
  const reference = referenceOf(credentials, event.data)
  if (!reference) return []
  const state = transferState(event.data)
  const dedupeKey = [event.type, providerRef, providerStatus].join(':')
  const moved = readWireMoney(amount, credentials.ownExponents)
  return [{ dedupeKey, reference, subject: 'attempt', providerRef, providerStatus, state, amount: moved }]
}

/**
 * An incoming transfer is named by Adyen's id alone: its sender chooses its references, and none may be taken for that of
 * a payout. Undefined for a deposit, and for one that has moved nothing.
 */
function referenceOf(credentials: AdyenCredentials, transfer: Transfer): string | undefined {
  if (!isIncoming(transfer)) return transfer.reference ?? undefined
  return isUnexplained(credentials, transfer) ? transfer.id : undefined
}

export function readDeposits(credentials: AdyenCredentials, rawBody: Buffer): ProviderDeposit[] {
  if (itemsOf(rawBody).length > 0) return []
  const event = parseAnswer(rawBody.toString('utf8'), transferEventSchema)
  const deposit = event && depositOf(credentials, event.data)
  return deposit ? [deposit] : []
}

/** The state for a successful and for an unsuccessful event; other events are ignored. */
const states: Readonly<Record<string, Readonly<Record<Item['success'], ProviderState | undefined>>>> = {
  AUTHORISATION: { true: { state: 'completed' }, false: failedWith('CARD_DECLINED') },
  CANCELLATION: { true: { state: 'canceled' }, false: undefined },
  CAPTURE_FAILED: { true: failedWith('REVERSED'), false: failedWith('REVERSED') },
  EXPIRE: { true: failedWith('EXPIRED'), false: undefined },
  REFUND: { true: { state: 'completed' }, false: failedWith('NOT_REFUNDABLE') },
  REFUND_FAILED: { true: failedWith('REVERSED'), false: failedWith('REVERSED') },
  REFUNDED_REVERSED: { true: failedWith('REVERSED'), false: undefined },
}

function readItem({ ownExponents }: AdyenCredentials, item: Item): ProviderUpdate[] {
  const { eventCode, success, pspReference, originalReference, merchantReference } = item
  const [reference = '', link] = merchantReference.split(linkMark)
  // A refused card leaves a link open, and the link keeps its id until a card has paid.
  const isOpenLink = link !== undefined && eventCode === 'AUTHORISATION' && success === 'false'
  const state = isOpenLink ? ({ state: 'pending' } as const) : states[eventCode]?.[success]
  if (!state) return []
  const subject = eventCode.startsWith('REFUND') ? 'refund' : 'attempt'
  const own = subject === 'refund' ? pspReference : originalReference || pspReference
  const providerRef = isOpenLink ? null : own
  const dedupeKey = [eventCode, pspReference, success].join(':')
  const amount = readWireMoney(item.amount, ownExponents)
  // A refund from the dashboard repeats the reference of its payment; one of ours has its own.
  const refundOf =
    subject === 'refund'
      ? { reference, providerRef: originalReference ?? null, refundId: pspReference }
      : undefined
  const providerStatus = `${eventCode} ${success}`
  return [{ dedupeKey, reference, subject, providerRef, providerStatus, state, amount, refundOf }]
}
