import { seeOther, type Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import { CANCEL, DECLINE, decisionOf, PAY, renderPage, returnUrl } from '../../core/hosted-page.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { failureOf } from './failures.ts'
import { detailsOf } from './present.ts'

export function authorizationUrlOf(kit: Kit, account: string, depositId: string): string {
  return `${kit.publicUrl()}/pawapay/authorise/${encodeURIComponent(account)}/${depositId}`
}

/** Wave's page, where the payer approves a redirect deposit. */
export function showAuthorisePage(kit: Kit, call: OpenCall): Answer {
  const transaction = findDeposit(kit, call)
  return transaction === undefined ? notFoundPage() : depositPage(transaction)
}

export async function decideOnAuthorisePage(kit: Kit, call: OpenCall): Promise<Answer> {
  const transaction = findDeposit(kit, call)
  if (transaction === undefined) return notFoundPage()
  if (transaction.state !== 'action_required') return depositPage(transaction)
  const details = detailsOf(transaction)
  const decision = decisionOf(call)
  if (decision === PAY.value) {
    const paid = await kit.move(transaction, { state: 'pending' }, details.planAfterPayment ?? [])
    return backTo(paid, details.successfulUrl)
  }
  if (decision !== DECLINE.value && decision !== CANCEL.value) return depositPage(transaction)
  const failure = failureOf('collect', 'not_approved')
  return backTo(await kit.move(transaction, { state: 'failed', failure }), details.failedUrl)
}

function findDeposit(kit: Kit, call: OpenCall): Transaction | undefined {
  const { account = '', depositId = '' } = call.params
  const transaction = kit.transactions.find({ account, operation: 'collect', reference: depositId })
  return transaction?.details['planAfterPayment'] === undefined ? undefined : transaction
}

function depositPage(transaction: Transaction): Answer {
  const isOpen = transaction.state === 'action_required'
  return renderPage({
    title: isOpen ? 'Approve the payment' : 'This payment has been decided',
    facts: [
      ['Amount', `${transaction.amount} ${transaction.currency}`],
      ['Network', detailsOf(transaction).provider],
      ['Deposit', transaction.reference],
    ],
    buttons: isOpen ? [PAY, DECLINE, CANCEL] : [],
  })
}

function notFoundPage(): Answer {
  return renderPage({ title: 'No such payment', facts: [], buttons: [] }, 404)
}

function backTo(transaction: Transaction, address: string | undefined): Answer {
  const url = address === undefined ? undefined : returnUrl(address)
  return url === undefined ? depositPage(transaction) : seeOther(url)
}
