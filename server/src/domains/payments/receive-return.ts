import { notFound } from '../../lib/errors.ts'
import { isAllowedReturnUrl, type ReturnUrlPolicy } from '../../lib/return-target.ts'
import { getOrganizationById } from '../organizations/get-organization.ts'
import { advancePayment } from './advance-payment.ts'
import { applyFact } from './attempts/apply-fact.ts'
import { loadPayment } from './get-payment.ts'
import {
  openAttempt,
  type LoadedPayment,
  type Payment,
  type PaymentDeps,
  type StoredAttempt,
} from './record.ts'
import { callerReturnUrl, readReturnToken } from './build-return-url.ts'
import { isSettled } from './rules.ts'
import { toConnectorAttempt } from './attempts/build-request.ts'

export type ReturnDeps = PaymentDeps & { returnUrlPolicy: ReturnUrlPolicy }
/** The query parameters that the provider appended to our return URL. */
type ReturnParameters = Readonly<Record<string, string>>

const pollIntervalMs = 3_000

/** Handles the customer's return: forwards the parameters to the connector, or polls the provider at intervals. */
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
  const decided = await forwardParameters(deps, loaded, attempt, parameters)
  if (decided) return decided
  const isPollDue = deps.clock.now().getTime() - attempt.updatedAt.getTime() > pollIntervalMs
  return isPollDue ? (await advancePayment(deps, loaded.payment)).loaded : loaded
}

/** Some providers need the parameters of the redirect to continue, and they arrive only once. */
async function forwardParameters(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  attempt: StoredAttempt,
  parameters: ReturnParameters,
): Promise<LoadedPayment | undefined> {
  if (Object.keys(parameters).length === 0) return undefined
  const { payment } = loaded
  const connector = await deps.connectors.load(payment.orgId, attempt.accountId)
  const outcome = await connector?.receiveReturn?.(toConnectorAttempt(payment, attempt), parameters)
  if (outcome?.kind !== 'accepted' && outcome?.kind !== 'declined') return undefined
  // The customer has been at the provider, so no other one may be tried.
  return applyFact(deps, loaded, outcome, { attemptNo: attempt.attemptNo, canSend: false })
}

/** The caller's page with the outcome, unless the organisation no longer allows its host. */
export async function returnUrlOf(deps: ReturnDeps, payment: Payment): Promise<string | undefined> {
  const { returnUrl } = payment
  if (returnUrl === null || !isSettled(payment.status)) return undefined
  const { returnUrlHosts } = await getOrganizationById(deps, payment.orgId)
  return isAllowedReturnUrl(returnUrl, returnUrlHosts, deps.returnUrlPolicy)
    ? callerReturnUrl({ ...payment, returnUrl })
    : undefined
}
