import { z } from 'zod'
import { seeOther, type Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import { CANCEL, decisionOf, PAY, renderPage, returnUrl, type PageField } from '../../core/hosted-page.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { judgeCard, type CardInput, type CardVerdict } from './cards.ts'
import { planAfterConfirmation } from './create-intent.ts'
import { paymentDetailsOf, type PaymentDetails } from './details.ts'
import { cardCodeOf, paymentMessageOf } from './errors.ts'
import { authenticationUrlOf, checkoutUrlOf, sessionStatusOf } from './present.ts'
import { findSession } from './sessions.ts'

const FIELDS: readonly PageField[] = [
  {
    name: 'number',
    label: 'Card number',
    hint: 'empty or 4242 4242 4242 4242 pays, 4000 0000 0000 3220 asks for 3D Secure, 4000 0000 0000 0002 is declined',
    inputMode: 'numeric',
    autocomplete: 'cc-number',
  },
  { name: 'expiry', label: 'Expiry (MM/YY)', hint: 'empty: any future date', autocomplete: 'cc-exp' },
  { name: 'cvc', label: 'Security code', hint: 'any', inputMode: 'numeric', autocomplete: 'cc-csc' },
]

const formSchema = z.looseObject({ number: z.string().default(''), expiry: z.string().default('') })
const DEFAULT_NUMBER = '4242424242424242'

export async function showCheckoutPage(kit: Kit, call: OpenCall): Promise<Answer> {
  const session = await sessionOf(kit, call)
  return session === undefined ? noSuchPage() : checkoutPage(session)
}

export async function decideOnCheckoutPage(kit: Kit, call: OpenCall): Promise<Answer> {
  const session = await sessionOf(kit, call)
  if (session === undefined) return noSuchPage()
  if (sessionStatusOf(session) !== 'open') return checkoutPage(session)
  if (decisionOf(call) === CANCEL.value) {
    const back = returnUrl(paymentDetailsOf(session).session?.cancelUrl ?? '')
    return back === undefined ? checkoutPage(session) : seeOther(back)
  }
  const form = formSchema.safeParse(call.payload)
  if (decisionOf(call) !== PAY.value || !form.success) return checkoutPage(session)
  const card = readCard(form.data, kit.clock.now())
  return card === undefined ? checkoutPage(session, 'Write the expiry as MM/YY.') : pay(kit, session, card)
}

async function pay(kit: Kit, session: Transaction, card: CardInput): Promise<Answer> {
  const verdict = judgeCard(card, kit.clock.now())
  const { decline } = behaviourFor({ amount: session.amount })
  const declineCode = verdict.declineCode ?? (decline && cardCodeOf(decline))
  const tried = triedDetails(verdict)
  if (declineCode !== undefined) {
    const details: Partial<PaymentDetails> = { ...tried, paymentErrorCode: declineCode }
    return checkoutPage(await kit.move(session, { state: 'action_required', details }))
  }
  if (verdict.authentication !== 'none') {
    const details: Partial<PaymentDetails> = { ...tried, isAuthenticating: true }
    return seeOther(authenticationUrlOf(kit, await kit.move(session, { state: 'action_required', details })))
  }
  return successOf(await confirmPayment(kit, session, tried))
}

/** Charges a card that passed all checks. */
export async function confirmPayment(
  kit: Kit,
  payment: Transaction,
  details: Partial<PaymentDetails> = {},
): Promise<Transaction> {
  const cleared = { ...details, isAuthenticating: false, paymentErrorCode: undefined }
  const plan = planAfterConfirmation(kit, behaviourFor({ amount: payment.amount }))
  const [first, ...rest] = plan
  if (first?.state === 'completed') return kit.move(payment, { state: 'completed', details: cleared }, rest)
  return kit.move(payment, { state: 'pending', details: { ...cleared, isAsync: true } }, plan)
}

/** Stripe replaces the template in the address by the session's id. */
export function successOf(session: Transaction): Answer {
  const template = paymentDetailsOf(session).session?.successUrl ?? ''
  const back = returnUrl(template.replaceAll('{CHECKOUT_SESSION_ID}', session.providerRef))
  return back === undefined ? checkoutPage(session) : seeOther(back)
}

export function backToCheckout(kit: Kit, session: Transaction): Answer {
  return seeOther(checkoutUrlOf(kit, session))
}

function triedDetails(verdict: CardVerdict): Partial<PaymentDetails> {
  return {
    hasTried: true,
    card: verdict.shown,
    authentication: verdict.authentication,
    isAuthenticating: false,
    paymentErrorCode: undefined,
  }
}

function readCard({ expiry, ...form }: z.infer<typeof formSchema>, now: Date): CardInput | undefined {
  const number = form.number.trim() === '' ? DEFAULT_NUMBER : form.number
  if (expiry.trim() === '') return { number, exp_month: 12, exp_year: now.getUTCFullYear() + 1 }
  const match = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(\d{2}|\d{4})\s*$/.exec(expiry)
  return match === null ? undefined : { number, exp_month: Number(match[1]), exp_year: Number(match[2]) }
}

async function sessionOf(kit: Kit, call: OpenCall): Promise<Transaction | undefined> {
  const { account = '', session = '' } = call.params
  return findSession(kit, account, session)
}

function checkoutPage(transaction: Transaction, problem?: string): Answer {
  const { session, paymentErrorCode } = paymentDetailsOf(transaction)
  const status = sessionStatusOf(transaction)
  const shownProblem = problem ?? (paymentErrorCode && paymentMessageOf(paymentErrorCode))
  const titles = {
    open: 'Pay by card',
    complete: 'This payment is complete',
    expired: 'This page has expired',
  }
  return renderPage({
    title: titles[status],
    facts: [
      ['For', session?.productName ?? ''],
      ['Amount', `${transaction.amount} ${transaction.currency}`],
      ['Session', transaction.providerRef],
    ],
    fields: FIELDS,
    buttons: status === 'open' ? [PAY, CANCEL] : [],
    ...(status === 'open' && shownProblem !== undefined && { problem: shownProblem }),
  })
}

function noSuchPage(): Answer {
  return renderPage({ title: 'No such payment', facts: [], buttons: [] }, 404)
}
