import { createHash } from 'node:crypto'
import type {
  Connector,
  ProviderUpdate,
  WebhookRequest,
  WebhookVerdict,
} from '../../connectors/kit/connector.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { installationOrgId } from '../../db/vault.ts'
import { notFound, unauthorized, validationError } from '../../lib/errors.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import { advancePayment } from '../payments/advance-payment.ts'
import { applyFact, amountDiffers } from '../payments/attempts/apply-fact.ts'
import { findAttempt, type FoundAttempt } from '../payments/attempts/find-attempt.ts'
import { loadPayment } from '../payments/get-payment.ts'
import { isOpen, type Fact } from '../payments/rules.ts'
import { advanceRamp } from '../ramps/advance-ramp.ts'
import { applyLegFact } from '../ramps/apply-leg-fact.ts'
import { findLeg, findLegNamed, loadRamp, type FoundLeg } from '../ramps/get-ramp.ts'
import type { RampDeps } from '../ramps/ramp-deps.ts'
import { orgOfWebhookToken } from '../provider-configs/rules.ts'
import { advanceOpenRefund } from '../payments/refunds/advance-refund.ts'
import { applyRefundFact } from '../payments/refunds/apply-refund-fact.ts'
import { findRefundByReference, type FoundRefund } from '../payments/refunds/find-refund.ts'
import { receiveArrival } from './receive-arrival.ts'
import { insertInboxRow, type InboxRow } from './store.ts'
import type { DepositDeps } from '../virtual-accounts/deposits/record.ts'

export type WebhookDeps = RampDeps & DepositDeps & { webhookKey: Buffer }

export interface IncomingWebhook extends Omit<WebhookRequest, 'url'> {
  /** Scheme and host as the provider called them, then path and query. */
  origin: string
  target: string
}

interface Delivery {
  /** Whose account the address names: an organisation's, or the installation's. */
  orgId: string
  provider: string
  verdict: 'verified' | 'unsigned' | 'forged'
}

const updatesLimit = 100

/** A provider tells us something. It may come early, twice, late, out of order or from a liar: each is harmless. */
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
  const updates = readUpdates(connector, request, verdict)
  const delivery: Delivery = { orgId, provider: input.provider, verdict: verdict.kind }
  for (const update of updates) await receiveUpdate(deps, delivery, update)
  // Money may be credited on the word of a signature alone; there is no payment to ask about.
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
    return connector.readWebhook?.(request.rawBody, request.url).slice(0, updatesLimit) ?? []
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
    const named = leg ? undefined : await findLegNamed(deps, delivery.provider, update.reference)
    if (named && isOurs(delivery, named.orgId)) return await receiveForNamedLeg(deps, delivery, update, named)
    if (delivery.verdict !== 'forged') await receiveUnknown(deps, delivery, update)
  } catch (error) {
    // A repeat of what is in the inbox already; any other clash is a defect, and the provider shall try again.
    if (!isUniqueViolation(error, 'inbox_pkey')) throw error
  }
}

/** An organisation's own account may speak of its own payments only. */
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
    ? 'kept for a person: the amount differs'
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

/** A ramp knows what to do with less and with more than was asked for. */
async function receiveForLeg(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  { orgId, paymentId, legNo }: FoundLeg,
): Promise<void> {
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict !== 'verified') {
    await deps.db.batchInOrg(orgId, [inbox(`${delivery.verdict}: not applied`)])
    if (delivery.verdict === 'unsigned') await advanceRamp(deps, { orgId, paymentId })
    return
  }
  const loaded = await loadRamp(deps, orgId, paymentId)
  await applyLegFact(deps, loaded, factOf(update), {
    legNo,
    extraStatements: [inbox(`taken as ${update.state.state}`)],
  })
}

/** Who names a leg by the provider's own id may tell of a part of it: while it is open, the provider is asked. */
async function receiveForNamedLeg(
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
  await advanceRamp(deps, { orgId, paymentId })
}

async function receiveForRefund(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  refund: FoundRefund,
): Promise<void> {
  const { orgId, paymentId } = refund
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict === 'forged') {
    await deps.db.batchInOrg(orgId, [inbox('refused: the signature is not valid')])
    return
  }
  if (delivery.verdict === 'unsigned') {
    const inboxed = [inbox('unsigned: the provider is asked about the refund')]
    // It names the refund at the provider, without which nobody could ask; what became of it, it does not decide.
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

/** Some providers name the payment and not the refund: then its open refund is asked about. */
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
  // A forgery must not take the place of the genuine delivery that may follow.
  dedupeKey: delivery.verdict === 'forged' ? `forged ${digest(update.dedupeKey)}` : update.dedupeKey,
  reference: update.reference,
  verdict: delivery.verdict,
  providerStatus: update.providerStatus,
  ...outcome,
})

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
