import type { Caller, Origin } from '../../../lib/requests/access.ts'
import { equalInConstantTime } from '../../../lib/crypto/crypto.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import { loadLinkByRef } from '../../parties/payment-links/get-link.ts'
import type { PaymentLink } from '../../parties/payment-links/record.ts'
import { isInProgress, statusAt } from '../../parties/payment-links/rules.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { lastAttempt, type LoadedPayment } from '../../payments/record.ts'
import type { VisitDeps, Visitor, Visit, SceneKind } from './record.ts'
import { sessionHash } from './sign-page-session.ts'

export async function loadVisit(deps: VisitDeps, visitor: Visitor): Promise<Visit> {
  const link = await loadLinkByRef(deps, visitor.linkRef)
  const payment = link.paymentId === null ? undefined : await loadPayment(deps, link.orgId, link.paymentId)
  const hash = sessionHash(deps.pageKey, visitor.session)
  const isPayer = link.sessionHash !== null && equalInConstantTime(link.sessionHash, hash)
  return { link, status: statusAt(link, deps.clock.now()), payment, isPayer }
}

/** Pure, because a page and its live updates must agree on what they show. */
export function sceneKindOf({ link, status, payment, isPayer }: Visit): SceneKind {
  if (link.status === 'paid') return 'done'
  if (payment && isInProgress(payment.payment.status)) return isPayer ? inProgressKind(payment) : 'elsewhere'
  if (payment && isPayer && status === 'active') return 'failed'
  return status === 'active' || status === 'paid' ? 'choose' : status
}

/** While the outcome is unknown the payer can only wait, whatever the provider asked for before. */
function inProgressKind(loaded: LoadedPayment): SceneKind {
  const action = loaded.payment.nextAction
  if (lastAttempt(loaded)?.state !== 'accepted' || !action) return 'checking'
  switch (action.type) {
    case 'redirect':
    case 'pay_by_link':
      return 'redirect'
    case 'collect_otp':
      return 'otp'
    case 'bank_transfer':
      return 'transfer'
    case 'wait':
      return 'prompt'
    case 'check_status':
    case 'crypto_transfer':
      return 'checking'
  }
}

/** Changes exactly when the page has to be rendered again. */
export const stateOf = (visit: Visit): string => `${sceneKindOf(visit)}.${visit.link.version}`

/** A payer acts on behalf of the link's creator and may do nothing but pay. */
export const payerOf = ({ orgId, userId }: PaymentLink, origin: Origin): Caller => ({
  orgId,
  userId,
  role: 'viewer',
  permissions: new Set(['payments:write']),
  features: new Set(),
  credential: { kind: 'payment_link' },
  origin,
})

export const merchantOf = (deps: VisitDeps, orgId: string) => getOrganizationById(deps, orgId)
