import type { CompiledQuery } from 'kysely'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import type { ApprovalPolicySource } from '../../pricing/approval-policies/check-approval.ts'
import { assertPayoutsOpen } from '../../people/organizations/reads.ts'
import { screenParties, type ScreeningResult } from '../../compliance/sanctions/matches/screen-subjects.ts'
import { isAccountSuspended, isScreeningOpen, sanctionsMatch } from '../../compliance/suspensions/errors.ts'
import { claimStatements } from '../../parties/payment-links/claim-link.ts'
import { pricePayment } from '../../pricing/fees/price-payment.ts'
import type { FeeScheduleSource } from '../../pricing/fees/record.ts'
import { checkQuote } from '../../pricing/rates/check-quote.ts'
import { reportLostOutcome } from '../attempts/report-lost-outcome.ts'
import { newAttempt } from '../attempts/prepare-attempt.ts'
import { sendAttempts } from '../attempts/send-attempts.ts'
import { insertAttempt } from '../attempts/store.ts'
import { holdStatements, isHeld } from '../lifecycle/build-postings.ts'
import { noSums } from '../sums/record.ts'
import { allProvidersFailed } from '../errors.ts'
import { fundingStatements } from '../lifecycle/plan-change.ts'
import { sealDetails } from '../reads/read-details.ts'
import type { LoadedPayment, Payment, PaymentDeps } from '../record.ts'
import { superviseFrom } from '../supervision/schedule-supervision.ts'
import { chargeableOf, routeRequestOf } from './build-route-request.ts'
import { chooseRoute, type RoutingDeps } from './choose-route.ts'
import type { InitiationDraft } from './draft-payment.ts'
import { assertCallerIds, memberNamed, openPayment } from './open-payment.ts'
import { partiesOf } from '../reads/list-subjects.ts'
import { writeWithApproval } from './write-payment.ts'

export interface InitiationDeps extends PaymentDeps, RoutingDeps {
  approvalPolicies: ApprovalPolicySource
  feeSchedules: FeeScheduleSource
}

/**
 * The money path: check the request, choose the route, write payment and attempt, call the provider, write the
 * outcome. A crash or an error between the two writes loses nothing: the engine finds the attempt and asks the
 * provider. An error from here, other than ALL_PROVIDERS_FAILED, means that nothing was begun.
 */
export async function initiatePayment(
  deps: InitiationDeps,
  caller: Caller,
  draft: InitiationDraft,
): Promise<LoadedPayment> {
  assertCallerIds(caller, draft)
  const written = await beginAnew(deps, caller, draft, { waits: false, isRouted: false })
  if (written.attempts.length === 0) return written
  const sent = await sendAttempts(deps, written, draft).catch((error: unknown) =>
    reportLostOutcome(deps, written, error),
  )
  if (sent.payment.status === 'failed') throw allProvidersFailed(sent.payment)
  return sent
}

/** Nothing is written by a refusal, and each one may be followed by the other, so each is answered once. */
async function beginAnew(
  deps: InitiationDeps,
  caller: Caller,
  draft: InitiationDraft,
  answered: { waits: boolean; isRouted: boolean },
): Promise<LoadedPayment> {
  try {
    return await beginPayment(deps, caller, draft, answered)
  } catch (error) {
    // Somebody has an open match that the lists of this process do not show: it is begun again, and waits.
    if (isScreeningOpen(error) && !answered.waits)
      return beginAnew(deps, caller, draft, { ...answered, waits: true })
    if (!isAccountSuspended(error) || answered.isRouted) throw error
    // The routes of the last seconds still had the account, so it is routed anew.
    deps.corridors.invalidate()
    return beginAnew(deps, caller, draft, { ...answered, isRouted: true })
  }
}

async function beginPayment(
  deps: InitiationDeps,
  caller: Caller,
  draft: InitiationDraft,
  { waits }: { waits: boolean },
): Promise<LoadedPayment> {
  const payment = await newPayment(deps, caller, await priceDraft(deps, caller.orgId, draft))
  if (payment.custody === 'pooled') await assertPayoutsOpen(deps, caller.orgId)
  const parties = partiesOf(payment, draft.details, draft.card?.holderName)
  const screened = await screenParties(deps, caller.orgId, { subjectId: payment.paymentId, ...parties })
  if (screened.verdict === 'confirmed') throw sanctionsMatch()
  const request = { ...draft, screened: waits ? { ...screened, verdict: 'open' as const } : screened }
  return draft.isApproved === true
    ? writePayment(deps, caller, payment, { ...request, guards: [] })
    : writeWithApproval(deps, payment, (decided, guards) =>
        writePayment(deps, caller, decided, { ...request, guards }),
      )
}

/** The target of an exchange is what the locked rate gives, whatever way the caller has rounded it. */
export async function priceDraft(
  deps: InitiationDeps,
  orgId: string,
  draft: InitiationDraft,
): Promise<InitiationDraft> {
  const { orgRateId, source, target } = draft
  if (orgRateId === null) return draft
  const statedTarget = draft.statedTarget ?? formatMinor(target.amountMinor, target.currency)
  const quoted = { orgRateId, source, statedTarget, targetCurrency: target.currency }
  return { ...draft, target: await checkQuote(deps, orgId, quoted) }
}

async function newPayment(deps: InitiationDeps, caller: Caller, draft: InitiationDraft): Promise<Payment> {
  const paymentId = draft.paymentId ?? newId()
  const { orgId } = caller
  const now = deps.clock.now()
  const ids = { orgId, paymentId }
  const routing = await chooseRoute(deps, routeRequestOf(deps, draft, { ...ids, now }))
  return {
    ...ids,
    userId: caller.userId,
    onBehalfOf: await memberNamed(deps, caller, draft.userId),
    direction: draft.direction,
    method: draft.method,
    country: draft.country,
    source: draft.source,
    target: draft.target,
    status: 'confirmed',
    version: 1,
    eventCount: 0,
    orgRateId: draft.orgRateId,
    clientReference: draft.clientReference,
    description: draft.description,
    beneficiaryId: draft.beneficiaryId,
    linkId: draft.link?.linkId ?? null,
    fundingAccountId: draft.fundingAccountId ?? null,
    custody: draft.direction === 'outbound' ? (routing.candidates[0]?.custody ?? null) : null,
    provider: null,
    accountId: null,
    providerPaymentId: null,
    providerStatus: null,
    card: draft.cardSummary,
    privateSealed: await sealDetails(deps, { orgId, paymentId }, draft.details),
    erasedAt: null,
    nextAction: null,
    routing,
    failureCode: null,
    failureMessage: null,
    returnUrl: draft.returnUrl,
    metadata: draft.metadata,
    comments: null,
    refundedMinor: 0n,
    sums: noSums,
    fee: await pricePayment(deps, orgId, chargeableOf(draft)),
    requestId: caller.origin.requestId,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Writes, before anything is sent: the payment, its first attempt, the hold of a payout, the supervision job. While a
 * match with a sanctions list is open there is no attempt, and the engine starts it once the match is cleared.
 */
async function writePayment(
  deps: InitiationDeps,
  caller: Caller,
  payment: Payment,
  {
    link,
    claim,
    guards,
    screened,
  }: Pick<InitiationDraft, 'link' | 'claim'> & {
    guards: readonly CompiledQuery[]
    screened: ScreeningResult
  },
): Promise<LoadedPayment> {
  const { orgId, paymentId, createdAt: now } = payment
  const route = payment.routing.candidates[0]
  const isHeldBack = screened.verdict === 'open'
  const attempt =
    payment.status === 'confirmed' && route && !isHeldBack
      ? newAttempt({ attempts: [] }, route, { ...deps, now })
      : undefined
  await openPayment(deps, caller, payment, [
    ...(claim ? [claim(paymentId)] : []),
    ...claimStatements(payment, link),
    ...screened.statements,
    ...(attempt
      ? [insertAttempt(orgId, paymentId, attempt), superviseFrom(payment, { inMs: deps.sendDeadlineMs })]
      : []),
    ...(isHeldBack && payment.status === 'confirmed'
      ? [superviseFrom(payment, { inMs: deps.pollSchedule.suspendedMs })]
      : []),
    ...fundingStatements(deps, undefined, payment),
    ...guards,
    // The last one, because debits of one balance queue from here to their commit.
    ...(payment.direction === 'outbound' && isHeld(payment.status, payment) ? holdStatements(payment) : []),
  ])
  return { payment, attempts: attempt ? [attempt] : [] }
}
