import { seeOther, type Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import { planFor } from '../../core/carry-out.ts'
import { DECLINE, decisionOf, PAY, renderPage, returnUrl } from '../../core/hosted-page.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { findLink } from './links.ts'
import { detailsOf } from './payments.ts'
import { cardFailure } from './refusals.ts'

/** The bank's page for 3D Secure. It charges nothing; `/payments/details` does. */
export async function authenticationPage(kit: Kit, call: OpenCall): Promise<Answer> {
  const { account = '', pspReference = '' } = call.params
  const payment = kit.transactions.findByProviderRef(account, pspReference)
  if (payment === undefined) return noSuchPage()
  const decision = decisionOf(call)
  const { authentication, redirectResult = '' } = detailsOf(payment)
  const isOpen = payment.state === 'action_required' && authentication === undefined
  if (!isOpen || (decision !== PAY.value && decision !== DECLINE.value))
    return pageOf(payment, '3D Secure', isOpen)
  const details = { authentication: decision === PAY.value ? 'passed' : 'failed' }
  return back(await kit.move(payment, { state: 'action_required', details }), { redirectResult })
}

/** A refused card is reported by webhook and leaves the link open. */
export async function linkPage(kit: Kit, call: OpenCall): Promise<Answer> {
  const { account = '', linkId = '' } = call.params
  const payment = findLink(kit, account, linkId)
  if (payment === undefined) return noSuchPage()
  const decision = decisionOf(call)
  const isOpen = payment.state === 'action_required'
  if (isOpen && decision === DECLINE.value) {
    await kit.resendWebhooks({ ...payment, state: 'failed', failure: cardFailure('declined') })
    return pageOf(payment, 'Pay with Adyen', true)
  }
  if (!isOpen || decision !== PAY.value) return pageOf(payment, 'Pay with Adyen', isOpen)
  const { outcome } = behaviourFor({ amount: payment.amount })
  const plan = planFor({ delayMs: kit.delayMs, outcome, failure: cardFailure })
  return back(await kit.move(payment, { state: 'pending' }, plan), {})
}

function pageOf(payment: Transaction, title: string, isOpen: boolean): Answer {
  return renderPage({
    title: isOpen ? title : 'This payment has been decided',
    facts: [
      ['Amount', `${payment.amount} ${payment.currency}`],
      ['Reference', detailsOf(payment).merchantReference],
    ],
    buttons: isOpen ? [PAY, DECLINE] : [],
  })
}

const noSuchPage = (): Answer => renderPage({ title: 'No such payment', facts: [], buttons: [] }, 404)

function back(payment: Transaction, query: Record<string, string>): Answer {
  const url = returnUrl(detailsOf(payment).returnUrl ?? '', query)
  return url === undefined ? pageOf(payment, '', false) : seeOther(url)
}
