import { seeOther, type Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import { DECLINE, decisionOf, PAY, renderPage, returnUrl } from '../../core/hosted-page.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { DECLINE_AFTER_AUTHENTICATION } from './cards.ts'
import { backToCheckout, confirmPayment, successOf } from './checkout-page.ts'
import { paymentDetailsOf } from './details.ts'
import { cardCodeOf, paymentMessageOf } from './errors.ts'
import { findPayment, intentId, isSession, suffixOf } from './ids.ts'
import { clientSecretOf } from './present.ts'

const BUTTONS = [
  { ...PAY, label: 'Complete authentication' },
  { ...DECLINE, label: 'Fail authentication' },
]

/** The bank's authentication page. */
export function showAuthenticationPage(kit: Kit, call: OpenCall): Answer {
  const payment = paymentOf(kit, call)
  return payment === undefined ? noSuchPage() : authenticationPage(payment)
}

export async function decideOnAuthenticationPage(kit: Kit, call: OpenCall): Promise<Answer> {
  const payment = paymentOf(kit, call)
  if (payment === undefined) return noSuchPage()
  if (!isWaiting(payment)) return authenticationPage(payment)
  const decision = decisionOf(call)
  if (decision !== PAY.value && decision !== DECLINE.value) return authenticationPage(payment)
  const declineCode = decision === PAY.value ? declineCodeOf(payment) : cardCodeOf('not_approved')
  if (declineCode === undefined) {
    const paid = await confirmPayment(kit, payment)
    return isSession(paid) ? successOf(paid) : backToShop(paid, 'succeeded')
  }
  if (isSession(payment)) {
    const details = { isAuthenticating: false, paymentErrorCode: declineCode }
    return backToCheckout(kit, await kit.move(payment, { state: 'action_required', details }))
  }
  const failure = { code: declineCode, message: paymentMessageOf(declineCode) }
  const details = { isAuthenticating: false }
  return backToShop(await kit.move(payment, { state: 'failed', failure, details }), 'failed')
}

function declineCodeOf(payment: Transaction): string | undefined {
  const isDeclined = paymentDetailsOf(payment).authentication === 'succeeds_then_declined'
  if (isDeclined) return DECLINE_AFTER_AUTHENTICATION
  const { decline } = behaviourFor({ amount: payment.amount })
  return decline && cardCodeOf(decline)
}

function isWaiting(payment: Transaction): boolean {
  return payment.state === 'action_required' && paymentDetailsOf(payment).isAuthenticating === true
}

function paymentOf(kit: Kit, call: OpenCall): Transaction | undefined {
  const { account = '', intent = '' } = call.params
  const payment = findPayment(kit, account, intent)
  return payment?.details['card'] === undefined ? undefined : payment
}

function authenticationPage(payment: Transaction): Answer {
  const { card } = paymentDetailsOf(payment)
  const isOpen = isWaiting(payment)
  return renderPage({
    title: isOpen ? '3D Secure' : 'This payment has been decided',
    facts: [
      ['Amount', `${payment.amount} ${payment.currency}`],
      ['Card', `${card?.brand ?? ''} •••• ${card?.last4 ?? ''}`],
    ],
    buttons: isOpen ? BUTTONS : [],
  })
}

function noSuchPage(): Answer {
  return renderPage({ title: 'No such payment', facts: [], buttons: [] }, 404)
}

function backToShop(payment: Transaction, redirectStatus: 'succeeded' | 'failed'): Answer {
  const suffix = suffixOf(payment.providerRef)
  const back = returnUrl(paymentDetailsOf(payment).returnUrl ?? '', {
    payment_intent: intentId(suffix),
    payment_intent_client_secret: clientSecretOf(suffix),
    redirect_status: redirectStatus,
  })
  return back === undefined ? authenticationPage(payment) : seeOther(back)
}
