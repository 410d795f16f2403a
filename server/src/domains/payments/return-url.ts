import { equalInConstantTime, hmac } from '../../lib/crypto.ts'
import { uuidFromBytes, uuidToBytes } from '../../lib/ids.ts'
import type { Payment } from './loaded-payment.ts'

const idBytes = 16
const proofBytes = 16

/** Our own page, to which a provider sends the customer back. Its token names the payment and proves itself. */
export const returnPageUrl = (
  deps: { publicUrl: string; returnKey: Buffer },
  payment: Pick<Payment, 'orgId' | 'paymentId'>,
): string => `${deps.publicUrl}/return/${returnToken(deps.returnKey, payment)}`

export function returnToken(key: Buffer, payment: Pick<Payment, 'orgId' | 'paymentId'>): string {
  const ids = Buffer.concat([uuidToBytes(payment.orgId), uuidToBytes(payment.paymentId)])
  return Buffer.concat([ids, hmac(key, ids).subarray(0, proofBytes)]).toString('base64url')
}

export function readReturnToken(
  key: Buffer,
  token: string,
): { orgId: string; paymentId: string } | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== 2 * idBytes + proofBytes) return undefined
  const ids = bytes.subarray(0, 2 * idBytes)
  if (!equalInConstantTime(bytes.subarray(2 * idBytes), hmac(key, ids).subarray(0, proofBytes)))
    return undefined
  return { orgId: uuidFromBytes(ids.subarray(0, idBytes)), paymentId: uuidFromBytes(ids.subarray(idBytes)) }
}

const referenceLength = 18

/** A shorter prefix of a time-ordered id is only a timestamp and repeats. */
export const returnReference = (payment: Pick<Payment, 'paymentId' | 'clientReference'>): string =>
  payment.clientReference ?? payment.paymentId.slice(0, referenceLength)

/** The caller's page with the outcome appended. It proves nothing: the caller asks for the record. */
export function callerReturnUrl(payment: Payment & { returnUrl: string }): string {
  const url = new URL(payment.returnUrl)
  url.searchParams.set(
    'status',
    payment.status === 'completed' || payment.status === 'refunded' ? 'completed' : 'failed',
  )
  url.searchParams.set('reference', returnReference(payment))
  return url.href
}
