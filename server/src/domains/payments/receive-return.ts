import { notFound } from '../../lib/errors.ts'
import { advancePayment } from './advance-payment.ts'
import { loadPayment } from './get-payment.ts'
import { openAttempt, type Payment } from './loaded-payment.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { callerReturnUrl, readReturnToken } from './return-url.ts'
import { isSettled } from './rules.ts'

export type ReturnPage = { location: string } | { location?: undefined; html: string }

const askAgainMs = 3_000

/** The customer is back: ask the provider once, then send them on, or show that it is not decided yet. */
export async function receiveReturn(deps: PaymentDeps, token: string): Promise<ReturnPage> {
  const ids = readReturnToken(deps.returnKey, token)
  if (!ids) throw notFound('This page')
  const loaded = await loadPayment(deps, ids.orgId, ids.paymentId)
  const attempt = openAttempt(loaded)
  // The page refreshes itself; the provider is not asked at every refresh.
  const isQuiet = attempt && deps.clock.now().getTime() - attempt.updatedAt.getTime() > askAgainMs
  const isUnderWay = !isSettled(loaded.payment.status) && attempt?.state !== 'sending' && isQuiet
  const { payment } = isUnderWay ? (await advancePayment(deps, ids)).loaded : loaded
  if (!isSettled(payment.status)) return { html: waitingPage }
  if (payment.returnUrl !== null)
    return { location: callerReturnUrl({ ...payment, returnUrl: payment.returnUrl }) }
  return { html: endPage(payment) }
}

const page = (title: string, text: string, head = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${title}</title><style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;text-align:center}
@media (prefers-color-scheme:dark){body{background:#111;color:#eee}}</style></head>
<body><main><h1>${title}</h1><p role="status">${text}</p></main></body></html>`

const waitingPage = page(
  'Your payment is being confirmed',
  'This page looks again by itself. You can also close it: nothing is lost.',
  '<meta http-equiv="refresh" content="2">',
)

const endPage = (payment: Payment): string =>
  payment.status === 'completed' || payment.status === 'refunded'
    ? page('Thank you', 'The payment is complete. You can close this page.')
    : page('The payment was not completed', 'No money was taken. You can close this page and try again.')
