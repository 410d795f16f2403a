import { seeOther, type Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import { CANCEL, DECLINE, decisionOf, PAY, renderPage, returnUrl } from '../../core/hosted-page.ts'
import type { Transaction } from '../../core/transaction.ts'
import { failureOf } from './failures.ts'
import { chargeDetailsOf } from './present-transaction.ts'
import type { Paystack } from './state.ts'
import { findCharge } from './transactions.ts'

export function showCheckoutPage(paystack: Paystack, call: OpenCall): Answer {
  const transaction = findCheckout(paystack, call)
  return transaction === undefined ? notFoundPage() : checkoutPage(transaction)
}

/** Cancelling changes nothing, as at Paystack; the page can be opened again and paid. */
export async function decideOnCheckoutPage(paystack: Paystack, call: OpenCall): Promise<Answer> {
  const transaction = findCheckout(paystack, call)
  if (transaction === undefined) return notFoundPage()
  if (transaction.state !== 'action_required') return checkoutPage(transaction)
  const decision = decisionOf(call)
  if (decision === PAY.value) return backToMerchant(await pay(paystack, transaction))
  if (decision === CANCEL.value) return backToMerchant(transaction)
  if (decision !== DECLINE.value) return checkoutPage(transaction)
  const failure = failureOf('collect', 'declined')
  return backToMerchant(await paystack.kit.move(transaction, { state: 'failed', failure }))
}

/** A card is charged while the customer waits, so the first step is taken before the redirect. */
function pay({ kit }: Paystack, transaction: Transaction): Promise<Transaction> {
  const [first, ...rest] = chargeDetailsOf(transaction).planAfterAction ?? []
  return kit.move(transaction, first ?? { state: 'pending' }, rest)
}

function findCheckout(paystack: Paystack, call: OpenCall): Transaction | undefined {
  const checkout = paystack.checkouts.get(call.params['accessCode'] ?? '')
  return checkout && findCharge(paystack, checkout.account, checkout.reference)
}

function checkoutPage(transaction: Transaction): Answer {
  const isOpen = transaction.state === 'action_required'
  return renderPage({
    title: isOpen ? 'Pay with Paystack' : 'This payment has been decided',
    facts: [
      ['Amount', `${transaction.amount} ${transaction.currency}`],
      ['Customer', chargeDetailsOf(transaction).email],
      ['Channel', transaction.method],
      ['Reference', transaction.reference],
    ],
    buttons: isOpen ? [PAY, DECLINE, CANCEL] : [],
  })
}

function notFoundPage(): Answer {
  return renderPage({ title: 'No such payment', facts: [], buttons: [] }, 404)
}

function backToMerchant(transaction: Transaction): Answer {
  const { callbackUrl } = chargeDetailsOf(transaction)
  const { reference } = transaction
  const url = callbackUrl === undefined ? undefined : returnUrl(callbackUrl, { trxref: reference, reference })
  return url === undefined ? checkoutPage(transaction) : seeOther(url)
}
