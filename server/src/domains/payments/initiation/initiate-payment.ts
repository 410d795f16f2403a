import type { Attempt, CollectDetails, Payee } from '../../../connectors/kit/connector.ts'
import type { Caller } from '../../../lib/access.ts'
import { validationError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { insertTransfers } from '../../../ledger/transfers.ts'
import type { Money } from '../../../lib/money.ts'
import { checkQuote } from '../../rates/check-quote.ts'
import { claimStatements } from '../../payment-links/claim-link.ts'
import { needsApproval, type ApprovalPolicySource } from '../../approval-policies/check-approval.ts'
import { assertPayoutsOpen } from '../../organizations/assert-payouts-open.ts'
import { chooseRoute, type RoutingDeps } from './choose-route.ts'
import { allProvidersFailed } from '../errors.ts'
import type { InitiationDraft } from './draft-payment.ts'
import { newAttempt } from '../attempts/prepare-attempt.ts'
import { assertCallerIds, openPayment } from './open-payment.ts'
import { privateContext, type LoadedPayment, type Payment } from '../record.ts'
import { fundingStatements, type PaymentDeps } from '../payment-deps.ts'
import { holdFor, isHeld } from '../build-postings.ts'
import { returnPageUrl } from '../build-return-url.ts'
import { sendAttempts } from '../attempts/send-attempt.ts'
import { insertAttempt } from '../store.ts'
import { superviseFrom } from '../schedule-supervision.ts'
import type { LinkClaim } from '../../payment-links/record.ts'

export interface InitiationDeps extends PaymentDeps, RoutingDeps {
  approvalPolicies: ApprovalPolicySource
}

/**
 * The money path: check, choose the route, write payment and attempt, call the provider, write the outcome,
 * answer. Between the two writes a crash loses nothing: the engine finds the attempt and asks the provider.
 */
export async function initiatePayment(
  deps: InitiationDeps,
  caller: Caller,
  draft: InitiationDraft,
): Promise<LoadedPayment> {
  assertCallerIds(caller, draft)
  if (draft.direction === 'outbound') await assertPayoutsOpen(deps, caller.orgId)
  if (draft.orgRateId !== null) await checkQuote(deps, caller.orgId, { ...draft, orgRateId: draft.orgRateId })
  const payment = await newPayment(deps, caller, draft)
  const written = await writePayment(deps, caller, payment, draft.link)
  if (written.attempts.length === 0) return written
  const sent = await sendAttempts(deps, written, { details: draft.details, memory: { card: draft.card } })
  if (sent.payment.status === 'failed' && sent.payment.failureCode === 'ALL_PROVIDERS_FAILED')
    throw allProvidersFailed()
  return sent
}

async function newPayment(deps: InitiationDeps, caller: Caller, draft: InitiationDraft): Promise<Payment> {
  const paymentId = draft.paymentId ?? newId()
  const { orgId } = caller
  const now = deps.clock.now()
  const ids = { orgId, paymentId }
  const routing = await chooseRoute(deps, {
    orgId,
    direction: draft.direction,
    source: draft.source,
    attempt: attemptDraft(draft, now),
    details: routingDetails(deps, draft, ids),
    networkCodes: draft.networkCodes,
  })
  const waits = draft.direction === 'outbound' && (await needsApproval(deps, orgId, draft.source))
  return {
    ...ids,
    userId: caller.userId,
    direction: draft.direction,
    method: draft.method,
    country: draft.country,
    source: draft.source,
    target: draft.target,
    status: waits ? 'initiated' : 'confirmed',
    version: 1,
    eventCount: 0,
    orgRateId: draft.orgRateId,
    clientReference: draft.clientReference,
    description: draft.description,
    beneficiaryId: draft.beneficiaryId,
    linkId: draft.link?.linkId ?? null,
    fundingAccountId: draft.fundingAccountId ?? null,
    provider: null,
    providerPaymentId: null,
    providerStatus: null,
    card: draft.cardSummary,
    privateSealed: await deps.vault.seal(orgId, privateContext(paymentId), draft.details),
    nextAction: null,
    routing,
    failureCode: null,
    failureMessage: null,
    returnUrl: draft.returnUrl,
    metadata: draft.metadata,
    comments: null,
    refundedMinor: 0n,
    requestId: caller.origin.requestId,
    createdAt: now,
    updatedAt: now,
  }
}

/** Before anything is sent: the payment, its first attempt, a payout's hold, and the engine's reminder. */
async function writePayment(
  deps: InitiationDeps,
  caller: Caller,
  payment: Payment,
  link: LinkClaim | undefined,
): Promise<LoadedPayment> {
  const { orgId, paymentId, createdAt: now } = payment
  const route = payment.routing.candidates[0]
  const attempt =
    payment.status === 'confirmed' && route
      ? newAttempt({ attempts: [] }, route, { ...deps, now })
      : undefined
  await openPayment(deps, caller, payment, [
    ...claimStatements(payment, link),
    ...(attempt
      ? [
          insertAttempt(orgId, paymentId, attempt),
          superviseFrom(payment, new Date(now.getTime() + deps.sendDeadlineMs)),
        ]
      : []),
    ...(payment.direction === 'outbound' && isHeld(payment.status, payment)
      ? [insertTransfers(orgId, [holdFor(payment)])]
      : []),
    ...fundingStatements(deps, undefined, payment),
  ])
  return { payment, attempts: attempt ? [attempt] : [] }
}

const attemptDraft = (draft: InitiationDraft, now: Date): Attempt => ({
  reference: '',
  providerRef: null,
  direction: draft.direction === 'outbound' ? 'payout' : 'payin',
  method: draft.method,
  country: draft.country,
  amount: providerMoney(draft),
  createdAt: now,
})

const providerMoney = (draft: InitiationDraft): Money =>
  draft.direction === 'outbound' ? draft.target : draft.source

function routingDetails(
  deps: InitiationDeps,
  draft: InitiationDraft,
  ids: { orgId: string; paymentId: string },
): CollectDetails | Payee {
  if (draft.direction === 'outbound') {
    if (!draft.details.payee)
      throw validationError('beneficiary_id: the beneficiary has no account to pay to.')
    return draft.details.payee
  }
  return {
    payer: draft.details.payer ?? {},
    card: draft.card,
    mobileMoney: draft.details.mobileMoney,
    payerAccount: draft.details.payerAccount,
    returnUrl: returnPageUrl(deps, ids),
  }
}
