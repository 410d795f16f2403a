import { notFound } from '../../lib/errors.ts'
import { isAllowedReturnUrl, type ReturnUrlPolicy } from '../../lib/return-target.ts'
import { getOrganizationById } from '../organizations/get-organization.ts'
import { advancePayment } from './advance-payment.ts'
import { loadPayment } from './get-payment.ts'
import { openAttempt, type LoadedPayment, type Payment } from './loaded-payment.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { callerReturnUrl, readReturnToken } from './return-url.ts'
import { isSettled } from './rules.ts'

export type ReturnDeps = PaymentDeps & { returnUrlPolicy: ReturnUrlPolicy }

const askAgainMs = 3_000

/** The customer is back: the provider is asked, but not at every look. */
export async function receiveReturn(deps: PaymentDeps, token: string): Promise<LoadedPayment> {
  const ids = readReturnToken(deps.returnKey, token)
  if (!ids) throw notFound('This page')
  const loaded = await loadPayment(deps, ids.orgId, ids.paymentId)
  const attempt = openAttempt(loaded)
  const isQuiet = attempt && deps.clock.now().getTime() - attempt.updatedAt.getTime() > askAgainMs
  const isUnderWay = !isSettled(loaded.payment.status) && attempt?.state !== 'sending' && isQuiet
  return isUnderWay ? (await advancePayment(deps, ids)).loaded : loaded
}

/** Where the customer goes on, with the outcome; not to a host that the organisation no longer allows. */
export async function returnUrlOf(deps: ReturnDeps, payment: Payment): Promise<string | undefined> {
  const { returnUrl } = payment
  if (returnUrl === null || !isSettled(payment.status)) return undefined
  const { returnUrlHosts } = await getOrganizationById(deps, payment.orgId)
  return isAllowedReturnUrl(returnUrl, returnUrlHosts, deps.returnUrlPolicy)
    ? callerReturnUrl({ ...payment, returnUrl })
    : undefined
}
