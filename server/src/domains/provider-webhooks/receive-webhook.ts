import { createHash } from 'node:crypto'
import type {
  Connector,
  ProviderUpdate,
  WebhookRequest,
  WebhookVerdict,
} from '../../connectors/kit/connector.ts'
import { isInboxFull, isUniqueViolation } from '../../db/errors.ts'
import { installationOrgId } from '../../db/vault.ts'
import { notFound, unauthorized, validationError } from '../../lib/errors.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import { advancePayment } from '../payments/advance-payment.ts'
import { applyFact } from '../payments/attempts/apply-fact.ts'
import { amountDiffers } from '../payments/attempts/plan-fact.ts'
import { findAttempt, type FoundAttempt } from '../payments/attempts/find-attempt.ts'
import { loadPayment } from '../payments/get-payment.ts'
import { isOpen, type Fact } from '../payments/rules.ts'
import { advanceRamp } from '../ramps/advance-ramp.ts'
import { applyLegFact } from '../ramps/apply-leg-fact.ts'
import { findLeg, findLegByProviderRef, loadRamp, type FoundLeg } from '../ramps/get-ramp.ts'
import type { RampDeps } from '../ramps/record.ts'
import { orgOfWebhookToken } from '../provider-configs/rules.ts'
import { advanceOpenRefund } from '../payments/refunds/advance-refund.ts'
import { applyRefundFact } from '../payments/refunds/apply-refund-fact.ts'
import { findRefundByReference } from '../payments/refunds/find-refund.ts'
import type { Refund } from '../payments/refunds/record.ts'
import { receiveArrival } from './receive-arrival.ts'
import { insertInboxRow, type InboxRow } from './store.ts'
import type { DepositDeps } from '../virtual-accounts/deposits/record.ts'

export type WebhookDeps = RampDeps &
  DepositDeps & {
    webhookKey: Buffer
    /** Throws when an account has lately received too many messages that are forged, or unsigned and about nothing here. */
    limitUnverified: (account: string) => void
  }

interface IncomingWebhook extends Omit<WebhookRequest, 'url'> {
  /** Scheme and host as the provider called them, then path and query. */
  origin: string
  target: string
}

interface Delivery {
  /** The owner of the provider account in the URL: an organisation, or the installation. */
  orgId: string
  provider: string
  verdict: 'verified' | 'unsigned' | 'forged'
}

const updatesLimit = 100
/** A forged message is only recorded, so few of its updates are looked up. */
const forgedUpdatesLimit = 5

/** Receives a provider's webhook. Early, repeated, late, reordered and forged deliveries are all harmless. */
export async function receiveWebhook(
  deps: WebhookDeps,
  input: { provider: string; token: string; request: IncomingWebhook },
): Promise<void> {
  const orgId = orgOfWebhookToken(deps.webhookKey, input.token, input.provider)
  const connector = orgId === undefined ? undefined : await deps.connectors.load(orgId, input.provider)
  if (orgId === undefined || !connector?.readWebhook) throw notFound('This webhook address')
  const { origin, target, ...rest } = input.request
  const request: WebhookRequest = { ...rest, url: new URL(target, origin).href }
  const verdict = await verdictOn(connector, request)
  if (verdict.kind === 'forged') deps.limitUnverified(`${orgId} ${input.provider}`)
  const updates = readUpdates(connector, request, verdict)
  const delivery: Delivery = { orgId, provider: input.provider, verdict: verdict.kind }
  for (const update of updates) await receiveUpdate(deps, delivery, update)
  // A deposit has no payment to inquire about, so only a valid signature may credit money.
  if (verdict.kind === 'verified')
    for (const deposit of connector.readDeposits?.(request.rawBody).slice(0, updatesLimit) ?? [])
      await receiveArrival(deps, { ownerId: orgId, provider: input.provider, deposit, by: 'webhook' })
  if (verdict.kind === 'forged') throw unauthorized('The signature of this webhook is not valid.')
}

const verdictOn = async (connector: Connector, request: WebhookRequest): Promise<WebhookVerdict> =>
  connector.verifyWebhook ? connector.verifyWebhook(request) : { kind: 'unsigned' }

function readUpdates(
  connector: Connector,
  request: WebhookRequest,
  verdict: WebhookVerdict,
): ProviderUpdate[] {
  try {
    const limit = verdict.kind === 'forged' ? forgedUpdatesLimit : updatesLimit
    return connector.readWebhook?.(request.rawBody, request.url).slice(0, limit) ?? []
  } catch (error) {
    if (verdict.kind === 'forged') return []
    throw validationError('The body of this webhook could not be read.', [
      { path: 'body', message: error instanceof Error ? error.name : 'unreadable' },
    ])
  }
}

async function receiveUpdate(deps: WebhookDeps, delivery: Delivery, update: ProviderUpdate): Promise<void> {
  try {
    const found = update.subject === 'attempt' ? await findAttempt(deps, update.reference) : undefined
    if (found && isOurs(delivery, found.orgId)) return await receiveForAttempt(deps, delivery, update, found)
    const refund =
      update.subject === 'refund' ? await findRefundByReference(deps, update.reference) : undefined
    if (refund && isOurs(delivery, refund.orgId))
      return await receiveForRefund(deps, delivery, update, refund)
    const refunded = update.subject === 'refund' ? await findAttempt(deps, update.reference) : undefined
    if (refunded && isOurs(delivery, refunded.orgId))
      return await receiveForRefundedPayment(deps, delivery, update, refunded)
    const leg = await findLeg(deps, update.reference)
    if (leg && isOurs(delivery, leg.orgId)) return await receiveForLeg(deps, delivery, update, leg)
    const named = leg ? undefined : await findLegByProviderRef(deps, delivery.provider, update.reference)
    if (named && isOurs(delivery, named.orgId))
      return await receiveForLegByProviderRef(deps, delivery, update, named)
    if (delivery.verdict !== 'forged') await receiveUnknown(deps, delivery, update)
  } catch (error) {
    // The inbox has it already, or enough unsigned ones: the engine polls anyway. Any other violation is a defect.
    if (!isUniqueViolation(error, 'inbox_pkey') && !isInboxFull(error)) throw error
  }
}

/** An organisation's own provider account may only report on that organisation's payments. */
const isOurs = (delivery: Delivery, orgId: string): boolean =>
  delivery.orgId === installationOrgId || delivery.orgId === orgId

async function receiveForAttempt(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  found: FoundAttempt,
): Promise<void> {
  const { orgId, paymentId, attemptNo } = found
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict === 'forged') {
    await deps.db.batchInOrg(orgId, [inbox('refused: the signature is not valid')])
    return
  }
  const loaded = await loadPayment(deps, orgId, paymentId)
  if (delivery.verdict === 'unsigned') {
    const { providerRef } = update
    const extraStatements = [inbox('unsigned: the provider is asked')]
    await applyFact(deps, loaded, undefined, {
      attemptNo,
      canSend: false,
      hintedRef: providerRef,
      extraStatements,
    })
    await advancePayment(deps, { orgId, paymentId, hint: { attemptNo, providerRef } })
    return
  }
  const fact = factOf(update)
  const result = amountDiffers(loaded.payment, fact)
    ? 'manual review: the amount differs'
    : `taken as ${update.state.state}`
  await applyFact(deps, loaded, fact, { attemptNo, canSend: false, extraStatements: [inbox(result)] })
}

const factOf = ({ providerRef, providerStatus, state, amount, nextAction }: ProviderUpdate): Fact => ({
  kind: 'accepted',
  providerRef,
  providerStatus,
  state,
  amount,
  nextAction,
})

/** Ramps handle under- and overpayment themselves, so the amount is not compared here. */
async function receiveForLeg(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  { orgId, paymentId, legNo }: FoundLeg,
): Promise<void> {
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict !== 'verified') {
    await deps.db.batchInOrg(orgId, [inbox(`${delivery.verdict}: not applied`)])
    if (delivery.verdict === 'unsigned') await advanceRamp(deps, { orgId, paymentId, isScheduled: false })
    return
  }
  const loaded = await loadRamp(deps, orgId, paymentId)
  await applyLegFact(deps, loaded, factOf(update), {
    legNo,
    extraStatements: [inbox(`taken as ${update.state.state}`)],
  })
}

/** A webhook with the provider's own id may report only a part of an open leg, so the provider is asked for the total. */
async function receiveForLegByProviderRef(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  found: FoundLeg,
): Promise<void> {
  const { orgId, paymentId, legNo } = found
  const { legs } = await loadRamp(deps, orgId, paymentId)
  const isAsked = legs.some((leg) => leg.legNo === legNo && isOpen(leg.state))
  if (!isAsked || delivery.verdict === 'forged') return receiveForLeg(deps, delivery, update, found)
  const row = inboxRow(delivery, update, { paymentId, result: 'the provider is asked' })
  await deps.db.batchInOrg(orgId, [insertInboxRow(orgId, row)])
  await advanceRamp(deps, { orgId, paymentId, isScheduled: false })
}

async function receiveForRefund(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  refund: Refund,
): Promise<void> {
  const { orgId, paymentId } = refund
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict === 'forged') {
    await deps.db.batchInOrg(orgId, [inbox('refused: the signature is not valid')])
    return
  }
  if (delivery.verdict === 'unsigned') {
    const inboxed = [inbox('unsigned: the provider is asked about the refund')]
    // The provider's id is needed to inquire about the refund; the reported outcome is not trusted.
    const { providerRef, providerStatus } = update
    const known = { kind: 'accepted', providerRef, providerStatus, state: { state: 'processing' } } as const
    if (providerRef === null) await deps.db.batchInOrg(orgId, inboxed)
    else await applyRefundFact(deps, refund, known, inboxed)
    await advanceOpenRefund(deps, orgId, paymentId)
    return
  }
  await applyRefundFact(
    deps,
    refund,
    {
      kind: 'accepted',
      providerRef: update.providerRef,
      providerStatus: update.providerStatus,
      state: update.state,
    },
    [inbox(`refund ${update.state.state}`)],
  )
}

/** Some providers name the payment and not the refund, so the payment's open refund is inquired about. */
async function receiveForRefundedPayment(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  { orgId, paymentId }: FoundAttempt,
): Promise<void> {
  const isTrusted = delivery.verdict !== 'forged'
  const result = isTrusted ? 'the provider is asked about the refund' : 'refused: the signature is not valid'
  await deps.db.batchInOrg(orgId, [insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))])
  if (isTrusted) await advanceOpenRefund(deps, orgId, paymentId)
}

async function receiveUnknown(deps: WebhookDeps, delivery: Delivery, update: ProviderUpdate): Promise<void> {
  const { orgId, provider } = delivery
  if (delivery.verdict === 'unsigned') deps.limitUnverified(`${orgId} ${provider}`)
  const row = insertInboxRow(
    orgId,
    inboxRow(delivery, update, { paymentId: null, result: 'no payment has this reference' }),
  )
  const exception = insertException(orgId, {
    kind: 'unknown_reference',
    paymentId: null,
    provider,
    findingKey: `unknown_reference ${provider} ${update.reference}`,
    summary: `${provider} reports ${update.providerStatus} for a reference that no payment here has: ${update.reference}.`,
    suggestedAction: 'Find it in the provider’s dashboard; if it is not ours, close this.',
  })
  if (orgId === installationOrgId) await deps.db.batchAcrossOrgs([row, exception])
  else await deps.db.batchInOrg(orgId, [row, exception])
}

const inboxRow = (
  delivery: Delivery,
  update: ProviderUpdate,
  outcome: { paymentId: string | null; result: string },
): InboxRow => ({
  provider: delivery.provider,
  // A forged delivery must not occupy the key of the genuine one that may follow.
  dedupeKey: delivery.verdict === 'forged' ? `forged ${digest(update.dedupeKey)}` : update.dedupeKey,
  reference: update.reference,
  verdict: delivery.verdict,
  providerStatus: update.providerStatus,
  ...outcome,
})

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
