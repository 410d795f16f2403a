import { notFound } from '../../../lib/errors.ts'
import { isAllowedReturnUrl, type ReturnUrlPolicy } from '../../../lib/net/return-target.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import { inquireForPage } from '../supervision/advance-payment.ts'
import { applyFact } from '../attempts/apply-fact.ts'
import { loadPayment } from '../reads/get-payment.ts'
import {
  openAttempt,
  type LoadedPayment,
  type Payment,
  type PaymentDeps,
  type StoredAttempt,
} from '../record.ts'
import { callerReturnUrl, readReturnToken } from './build-return-url.ts'
import { isSettled } from '../lifecycle/rules.ts'
import { toConnectorAttempt } from '../attempts/build-request.ts'
import { forwardedReturnsLimit, isPageInquiryDue, pageInquiryInMs } from '../attempts/rules.ts'
import { claimForwardedReturn, claimPageInquiry } from '../attempts/store.ts'

export type ReturnDeps = PaymentDeps & { returnUrlPolicy: ReturnUrlPolicy }
/** The query parameters that the provider appended to our return URL. */
type ReturnParameters = Readonly<Record<string, string>>

export async function openReturn(
  deps: Pick<PaymentDeps, 'db' | 'vault' | 'returnKey'>,
  token: string,
): Promise<LoadedPayment> {
  const ids = readReturnToken(deps.returnKey, token)
  if (!ids) throw notFound('This page')
  return loadPayment(deps, ids.orgId, ids.paymentId)
}

/** Handles the customer's return: forwards the parameters to the connector, or inquires at the provider if that is due. */
export async function receiveReturn(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  parameters: ReturnParameters = {},
): Promise<LoadedPayment> {
  const attempt = waitingAttempt(loaded)
  const decided = attempt && (await forwardParameters(deps, loaded, attempt, parameters))
  return decided ?? pollForPage(deps, loaded)
}

const waitingAttempt = (loaded: LoadedPayment): StoredAttempt | undefined => {
  const attempt = openAttempt(loaded)
  return isSettled(loaded.payment.status) || attempt?.state === 'sending' ? undefined : attempt
}

/** When a page should poll again, because an inquiry at the provider is due by then. */
export async function nextPageInquiryInMs(
  deps: Pick<PaymentDeps, 'db'>,
  loaded: LoadedPayment,
): Promise<number | undefined> {
  const attempt = waitingAttempt(loaded)
  return attempt && pageInquiryInMs(attempt, await deps.db.now())
}

/** The claim is in the database, so all pages of all processes share one inquiry, its pace and its limit. */
export async function pollForPage(deps: PaymentDeps, loaded: LoadedPayment): Promise<LoadedPayment> {
  const attempt = waitingAttempt(loaded)
  if (!attempt) return loaded
  const now = await deps.db.now()
  if (!isPageInquiryDue(attempt, now)) return loaded
  const { orgId, paymentId } = loaded.payment
  const { attemptNo, pageInquiries } = attempt
  const isClaimed = await deps.db.inOrg(orgId, (tx) =>
    claimPageInquiry(tx, orgId, { paymentId, attemptNo }, { expectedInquiries: pageInquiries, now }),
  )
  return isClaimed ? inquireForPage(deps, loaded) : loaded
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
  if (!connector?.receiveReturn) return undefined
  const { orgId, paymentId } = payment
  const isClaimed = await deps.db.inOrg(orgId, (tx) =>
    claimForwardedReturn(tx, orgId, { paymentId, attemptNo: attempt.attemptNo }, forwardedReturnsLimit),
  )
  if (!isClaimed) return undefined
  const outcome = await connector.receiveReturn(toConnectorAttempt(payment, attempt), parameters)
  if (outcome.kind !== 'accepted' && outcome.kind !== 'declined') return undefined
  // The customer has been at the provider, so no other one may be tried.
  return applyFact(deps, loaded, outcome, { attemptNo: attempt.attemptNo, canSend: false })
}

/** The caller's page with the outcome, unless the organisation no longer allows its host or scheme. */
export async function returnUrlOf(deps: ReturnDeps, payment: Payment): Promise<string | undefined> {
  const { returnUrl } = payment
  if (returnUrl === null || !isSettled(payment.status)) return undefined
  const organization = await getOrganizationById(deps, payment.orgId)
  return isAllowedReturnUrl(returnUrl, organization, deps.returnUrlPolicy)
    ? callerReturnUrl({ ...payment, returnUrl })
    : undefined
}
