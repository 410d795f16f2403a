import type { CompiledQuery } from 'kysely'
import type { Caller } from '../../../lib/requests/access.ts'
import { validationError } from '../../../lib/errors.ts'
import { toRate } from '../../../lib/money/decimal.ts'
import { newId } from '../../../lib/ids.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { ApprovalDeps } from '../../pricing/approval-policies/check-approval.ts'
import { assertPayoutsOpen } from '../../people/organizations/reads.ts'
import { allProvidersFailed } from '../../payments/errors.ts'
import { sealDetails } from '../../payments/reads/read-details.ts'
import type { Payment, Routing } from '../../payments/record.ts'
import { noSums } from '../../payments/sums/record.ts'
import { openPayment } from '../../payments/initiation/open-payment.ts'
import { writeWithApproval } from '../../payments/initiation/write-payment.ts'
import { quoteRate } from '../../pricing/rates/quote-rate.ts'
import { screenParties } from '../../compliance/sanctions/matches/screen-subjects.ts'
import { sanctionsMatch, screeningOpen } from '../../compliance/suspensions/errors.ts'
import { partiesOf } from '../../payments/reads/list-subjects.ts'
import { screenAddress } from './screening/screen-address.ts'
import type { AppliedRamp } from './apply-leg-fact.ts'
import { chooseRampRoutes, type RampRoutingDeps } from './choose-ramp-route.ts'
import type { RampDraft } from './draft-ramp.ts'
import { addressRefused, rateDrifted } from './errors.ts'
import { rampInDoubt } from './load-begun-ramp.ts'
import type { LoadedRamp, Ramp, RampRoute } from './record.ts'
import { appliedRate, cryptoAmount, expiryFrom, hasDrifted } from './rules.ts'
import { firstLegOf, sendFirst } from './start-collection.ts'
import { insertLeg, insertRamp } from './store.ts'
import { superviseRampFrom } from './schedule-supervision.ts'
import type { RateDeps } from '../../pricing/rates/record.ts'

export type InitiateRampDeps = RampRoutingDeps & RateDeps & ApprovalDeps

const firstPollMs = 5_000

/** Checks the rate, chooses the routes, writes ramp and first leg, starts the collection and writes its outcome. */
export async function initiateRamp(
  deps: InitiateRampDeps,
  caller: Caller,
  draft: RampDraft,
): Promise<LoadedRamp> {
  await assertPayoutsOpen(deps, caller.orgId)
  await assertClear(deps, caller, draft)
  const paymentId = newId()
  const screening = await screenNames(deps, caller, { ...draft, paymentId })
  const { rate, crypto, orgRateId } = await price(deps, caller, draft)
  const now = await deps.db.now()
  const { routes, considered } = await chooseRampRoutes(deps, { orgId: caller.orgId, draft, crypto, now })
  const ramp = newRamp(draft, { rate, crypto, routes, now })
  const payment = await newPayment(deps, caller, draft, { paymentId, ramp, orgRateId, considered, now })
  const written = await writeWithApproval(deps, payment, (decided, guards) =>
    writeRamp(deps, caller, { payment: decided, ramp, claim: draft.claim, screening }, guards),
  )
  const sent = await sendFirst(deps, written).catch((error: unknown) =>
    reportLostOutcome(deps, written, error),
  )
  if (sent.payment.status === 'failed') throw allProvidersFailed(sent.payment)
  return sent
}

/** The provider may have been called: the caller polls, and the engine asks the provider after the leg's deadline. */
function reportLostOutcome(deps: InitiateRampDeps, written: LoadedRamp, error: unknown): LoadedRamp {
  const { orgId, paymentId } = written.payment
  deps.log.error({ err: error, orgId, paymentId }, 'the outcome of a ramp could not be written')
  return rampInDoubt(written)
}

/** Refuses early where possible; the address is screened again before crypto is sent. */
async function assertClear(deps: InitiateRampDeps, caller: Caller, draft: RampDraft): Promise<void> {
  if (draft.walletAddress === null) return
  const wallet = { network: draft.network, address: draft.walletAddress }
  const { verdict } = await screenAddress(deps, caller.orgId, wallet)
  if (verdict === 'refused') throw addressRefused()
}

/**
 * A ramp does not wait, so one with a possible match is refused. The match is kept for whoever decides about it, and a
 * ramp of the same person is then possible or refused for good.
 */
async function screenNames(
  deps: InitiateRampDeps,
  { orgId }: Caller,
  draft: RampDraft & { paymentId: string },
): Promise<CompiledQuery[]> {
  const { paymentId, details } = draft
  const parties = partiesOf({ ...draft, direction: 'external' }, details)
  const { verdict, statements } = await screenParties(deps, orgId, { subjectId: paymentId, ...parties })
  if (verdict === 'confirmed') throw sanctionsMatch()
  if (verdict === 'clear') return statements
  await deps.db.batchInOrg(orgId, statements)
  throw screeningOpen()
}

/** Compares with the live rate in the direction of the money: a rate for the opposite direction is refused. */
async function price(
  deps: InitiateRampDeps,
  caller: Caller,
  draft: RampDraft,
): Promise<{ rate: string; crypto: Money; orgRateId: string }> {
  const [fromCurrency, toCurrency] =
    draft.direction === 'on_ramp' ? [draft.fiat.currency, draft.asset] : [draft.asset, draft.fiat.currency]
  const quote = await quoteRate(deps, caller, { fromCurrency, toCurrency })
  const live = toRate(quote.rate)
  if (hasDrifted(draft.clientRate, live))
    throw rateDrifted(
      `client_rate is more than 0.5 percent from the live rate from ${fromCurrency} to ${toCurrency}.`,
    )
  const rate = appliedRate(draft.clientRate, live)
  const crypto = cryptoAmount(draft.direction, draft.fiat, rate, draft.asset)
  if (crypto.amountMinor === 0n)
    throw validationError(`fiat_amount: is less than the smallest unit of ${draft.asset}.`)
  return { rate: rate.toFixed(18), crypto, orgRateId: quote.orgRateId }
}

const newRamp = (
  draft: RampDraft,
  terms: { rate: string; crypto: Money; routes: RampRoute[]; now: Date },
): Ramp => ({
  direction: draft.direction,
  fiat: draft.fiat,
  crypto: terms.crypto,
  network: draft.network,
  rate: terms.rate,
  walletAddress: draft.walletAddress,
  routes: terms.routes,
  phase: 'collecting',
  receivedMinor: 0n,
  suspendedMinor: 0n,
  expiresAt: expiryFrom(terms.now),
})

async function newPayment(
  deps: InitiateRampDeps,
  caller: Caller,
  draft: RampDraft,
  terms: {
    paymentId: string
    ramp: Ramp
    orgRateId: string
    considered: Routing['considered']
    now: Date
  },
): Promise<Payment> {
  const { orgId } = caller
  const { paymentId, ramp, now } = terms
  const [source, target] = ramp.direction === 'on_ramp' ? [ramp.fiat, ramp.crypto] : [ramp.crypto, ramp.fiat]
  return {
    orgId,
    paymentId,
    userId: caller.userId,
    onBehalfOf: draft.onBehalfOf,
    direction: 'external',
    method: 'crypto',
    country: draft.country,
    source,
    target,
    status: 'confirmed',
    version: 1,
    eventCount: 0,
    orgRateId: terms.orgRateId,
    clientReference: draft.clientReference,
    description: null,
    beneficiaryId: draft.beneficiaryId,
    linkId: null,
    fundingAccountId: null,
    custody: null,
    provider: null,
    accountId: null,
    providerPaymentId: null,
    providerStatus: null,
    card: null,
    privateSealed: await sealDetails(deps, { orgId, paymentId }, draft.details),
    erasedAt: null,
    nextAction: null,
    // The routes are in the ramp: as candidates here, the payment code could send them.
    routing: { candidates: [], considered: terms.considered },
    failureCode: null,
    failureMessage: null,
    returnUrl: null,
    metadata: draft.metadata,
    comments: null,
    refundedMinor: 0n,
    sums: noSums,
    // The price of a ramp is in its rate.
    fee: null,
    requestId: caller.origin.requestId,
    createdAt: now,
    updatedAt: now,
  }
}

/** Writes, before anything is sent: the payment, the ramp, its first leg and the supervision job. */
async function writeRamp(
  deps: InitiateRampDeps,
  caller: Caller,
  {
    payment,
    ramp,
    claim,
    screening,
  }: {
    payment: Payment
    ramp: Ramp
    claim: RampDraft['claim']
    screening: readonly CompiledQuery[]
  },
  extraStatements: readonly CompiledQuery[],
): Promise<AppliedRamp> {
  const { orgId, paymentId, createdAt: now } = payment
  const leg = payment.status === 'confirmed' ? firstLegOf(ramp, { ...deps, now }) : undefined
  await openPayment(deps, caller, payment, [
    ...(claim ? [claim(paymentId)] : []),
    insertRamp(orgId, paymentId, ramp),
    ...screening,
    ...(leg ? [insertLeg(orgId, paymentId, leg), superviseRampFrom(payment, { inMs: firstPollMs })] : []),
    ...extraStatements,
  ])
  return { payment, ramp, legs: leg ? [leg] : [], following: leg }
}
