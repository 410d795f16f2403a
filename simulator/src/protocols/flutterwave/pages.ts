import { seeOther, type Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import { CANCEL, DECLINE, decisionOf, PAY, renderPage, returnUrl } from '../../core/hosted-page.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { failureOf } from './failures.ts'
import { chargeDetailsOf, chargeStatusOf } from './present.ts'

/** Pages for a password, for the bank's sign-in, and for a card payment. */
export const authorizationPageOf = (kit: Kit, transaction: Transaction): string =>
  `${kit.publicUrl()}/flutterwave/hosted/pay/${chargeDetailsOf(transaction).flwRef}`

export function showPage(kit: Kit, call: OpenCall): Answer {
  const transaction = findByPage(kit, call)
  return transaction === undefined ? noSuchPage() : pageOf(transaction)
}

/** Cancelling changes nothing; the page can be opened again and paid. */
export async function decideOnPage(kit: Kit, call: OpenCall): Promise<Answer> {
  const transaction = findByPage(kit, call)
  if (transaction === undefined) return noSuchPage()
  if (transaction.state !== 'action_required') return pageOf(transaction)
  const decision = decisionOf(call)
  if (decision === CANCEL.value) return backToMerchant(transaction)
  const details = { isHidden: false }
  if (decision === PAY.value) {
    const [first, ...rest] = chargeDetailsOf(transaction).planAfterAction
    const step = first ?? { state: 'pending' as const }
    return backToMerchant(await kit.move(transaction, { ...step, details }, rest))
  }
  if (decision !== DECLINE.value) return pageOf(transaction)
  const failure = failureOf('collect', 'declined')
  return backToMerchant(await kit.move(transaction, { state: 'failed', failure, details }))
}

function findByPage(kit: Kit, call: OpenCall): Transaction | undefined {
  const flwRef = call.params['flwRef']
  for (const transaction of kit.transactions.values()) {
    if (transaction.operation === 'collect' && chargeDetailsOf(transaction).flwRef === flwRef)
      return transaction
  }
  return undefined
}

function pageOf(transaction: Transaction): Answer {
  const isOpen = transaction.state === 'action_required'
  return renderPage({
    title: isOpen ? 'Pay with Flutterwave' : 'This payment has been decided',
    facts: [
      ['Amount', `${transaction.amount} ${transaction.currency}`],
      ['Customer', chargeDetailsOf(transaction).email],
      ['Method', transaction.method],
      ['Reference', transaction.reference],
    ],
    buttons: isOpen ? [PAY, DECLINE, CANCEL] : [],
  })
}

function noSuchPage(): Answer {
  return renderPage({ title: 'No such payment', facts: [], buttons: [] }, 404)
}

function backToMerchant(transaction: Transaction): Answer {
  const { redirectUrl, id } = chargeDetailsOf(transaction)
  const isOpen = transaction.state === 'action_required'
  const query = {
    status: isOpen ? 'cancelled' : chargeStatusOf(transaction),
    tx_ref: transaction.reference,
    ...(!isOpen && { transaction_id: String(id) }),
  }
  const url = redirectUrl === undefined ? undefined : returnUrl(redirectUrl, query)
  return url === undefined ? pageOf(transaction) : seeOther(url)
}
