import { notFound } from '../../lib/errors.ts'
import { isAllowedReturnUrl, type ReturnUrlPolicy } from '../../lib/return-target.ts'
import { getOrganizationById } from '../organizations/get-organization.ts'
import { advancePayment } from './advance-payment.ts'
import { applyFact } from './attempts/apply-fact.ts'
import { loadPayment } from './get-payment.ts'
import { openAttempt, type LoadedPayment, type Payment, type StoredAttempt } from './record.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { callerReturnUrl, readReturnToken } from './build-return-url.ts'
import { isSettled } from './rules.ts'
import { attemptView } from './attempts/send-attempt.ts'

export type ReturnDeps = PaymentDeps & { returnUrlPolicy: ReturnUrlPolicy }
/** What the provider added to our address. */
export type ReturnParameters = Readonly<Record<string, string>>

const askAgainMs = 3_000

/** The customer is back. What they bring goes to the provider at once; it is asked too, but not at every look. */
export async function receiveReturn(
  deps: PaymentDeps,
  token: string,
  parameters: ReturnParameters = {},
): Promise<LoadedPayment> {
  const ids = readReturnToken(deps.returnKey, token)
  if (!ids) throw notFound('This page')
  const loaded = await loadPayment(deps, ids.orgId, ids.paymentId)
  const attempt = openAttempt(loaded)
  if (isSettled(loaded.payment.status) || !attempt || attempt.state === 'sending') return loaded
  const decided = await handOver(deps, loaded, attempt, parameters)
  if (decided) return decided
  const isQuiet = deps.clock.now().getTime() - attempt.updatedAt.getTime() > askAgainMs
  return isQuiet ? (await advancePayment(deps, loaded.payment)).loaded : loaded
}

/** Some providers go on only with what the customer brought back, which is there this once. */
async function handOver(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  attempt: StoredAttempt,
  parameters: ReturnParameters,
): Promise<LoadedPayment | undefined> {
  if (Object.keys(parameters).length === 0) return undefined
  const { payment } = loaded
  const connector = await deps.connectors.load(payment.orgId, attempt.provider)
  const outcome = await connector?.receiveReturn?.(attemptView(payment, attempt), parameters)
  const isNews = outcome?.kind === 'accepted' || outcome?.kind === 'declined'
  if (!isNews) return undefined
  // Whatever became of it, the customer has been there: no other provider from here on.
  return applyFact(deps, loaded, outcome, { attemptNo: attempt.attemptNo, canSend: false })
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
