import { readSignedIds, signIds } from '../../lib/signed-ids.ts'
import type { Payment } from './record.ts'

/** Our own page, to which a provider sends the customer back. Its token names the payment and proves itself. */
export const returnPageUrl = (
  deps: { publicUrl: string; returnKey: Buffer },
  payment: Pick<Payment, 'orgId' | 'paymentId'>,
): string => `${deps.publicUrl}/return/${returnToken(deps.returnKey, payment)}`

export const returnToken = (key: Buffer, payment: Pick<Payment, 'orgId' | 'paymentId'>): string =>
  signIds(key, { orgId: payment.orgId, id: payment.paymentId })

export function readReturnToken(
  key: Buffer,
  token: string,
): { orgId: string; paymentId: string } | undefined {
  const ids = readSignedIds(key, token)
  return ids && { orgId: ids.orgId, paymentId: ids.id }
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
