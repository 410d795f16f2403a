import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readSignedIds, signIds } from '../../../lib/crypto/signed-ids.ts'
import type { Payment } from '../record.ts'

/** Our own page, to which the provider redirects the customer. Its token carries the payment's id, signed. */
export const returnPageUrl = (
  deps: { publicUrl: string; returnKey: KeyRing },
  payment: Pick<Payment, 'orgId' | 'paymentId'>,
): string => `${deps.publicUrl}/return/${returnToken(deps.returnKey, payment)}`

export const returnToken = (key: KeyRing, payment: Pick<Payment, 'orgId' | 'paymentId'>): string =>
  signIds(key, { orgId: payment.orgId, id: payment.paymentId })

export function readReturnToken(
  key: KeyRing,
  token: string,
): { orgId: string; paymentId: string } | undefined {
  const ids = readSignedIds(key, token)
  return ids && { orgId: ids.orgId, paymentId: ids.id }
}

const referenceLength = 18

/** A shorter prefix of a time-ordered id would be only its timestamp, and not unique. */
export const returnReference = (payment: Pick<Payment, 'paymentId' | 'clientReference'>): string =>
  payment.clientReference ?? payment.paymentId.slice(0, referenceLength)

/** The caller's page with the outcome appended. It is not signed: the caller must read the payment record. */
export function callerReturnUrl(payment: Payment & { returnUrl: string }): string {
  const url = new URL(payment.returnUrl)
  url.searchParams.set(
    'status',
    payment.status === 'completed' || payment.status === 'refunded' ? 'completed' : 'failed',
  )
  url.searchParams.set('reference', returnReference(payment))
  return url.href
}
