import type { CompiledQuery } from 'kysely'
import type { Connector, ProviderUpdate, WebhookRequest } from '../../../connectors/kit/connector.ts'
import type { WebhookVerdict } from '../../../connectors/kit/declared.ts'
import { isInboxFull, isUniqueViolation } from '../../../kernel/db/errors.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { notFound, unauthorized, validationError } from '../../../lib/errors.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { findAttempt, findRefundedAttempt } from '../../payments/attempts/reads.ts'
import { findLeg, findLegByProviderRef } from '../../products/ramps/get-ramp.ts'
import { messageFromOther } from '../../providers/accounts/errors.ts'
import { findWebhookAccount } from '../../providers/accounts/reads.ts'
import { findRefundByProviderRef, findRefundByReference } from '../../payments/refunds/reads.ts'
import { receiveArrival } from './receive-arrival.ts'
import { receiveForAttempt } from './receive-attempt-update.ts'
import { receiveDisputes } from './receive-dispute.ts'
import { receiveForLeg, receiveForLegByProviderRef } from './receive-leg-update.ts'
import { receiveForRefund, receiveForRefundedPayment } from './receive-refund-update.ts'
import type { Delivery, WebhookDeps } from './record.ts'
import { inboxRow } from './rules.ts'
import { sealDeposit, sealUpdate } from './seal-update.ts'
import { insertInboxRow } from './store.ts'

interface IncomingWebhook extends Omit<WebhookRequest, 'url'> {
  /** Scheme and host as the provider called them, then path and query. */
  origin: string
  target: string
}

const updatesLimit = 100
/** A forged message is only recorded, so few of its updates are looked up. */
const forgedUpdatesLimit = 5

/** Receives a provider's webhook. Early, repeated, late, reordered and forged deliveries are all harmless. */
export async function receiveWebhook(
  deps: WebhookDeps,
  input: { provider: string; token: string; request: IncomingWebhook },
): Promise<void> {
  const account = await findWebhookAccount(deps, input)
  const connector = account && (await deps.connectors.load(account.orgId, account.accountId))
  if (!account || !connector?.readWebhook) throw notFound('This webhook address')
  const { origin, target, ...rest } = input.request
  const request: WebhookRequest = { ...rest, url: new URL(target, origin).href }
  const verdict = await verdictOn(connector, request)
  if (verdict.kind === 'forged') deps.limitUnverified(account.accountId)
  const updates = readUpdates(connector, request, verdict).map((update) =>
    sealUpdate(deps.webhookKey, update),
  )
  const isAnswer = verdict.kind === 'verified' && verdict.isAnswer === true
  const body = request.rawBody.toString('utf8')
  const delivery: Delivery = { account, verdict: verdict.kind, body, isAnswer }
  for (const update of updates) await receiveUpdate(deps, delivery, update)
  // A deposit has no payment to inquire about, so only a valid signature may credit money.
  if (verdict.kind === 'verified')
    for (const deposit of connector.readDeposits?.(request.rawBody).slice(0, updatesLimit) ?? [])
      await receiveArrival(deps, { account, deposit: sealDeposit(deps.webhookKey, deposit), by: 'webhook' })
  await receiveDisputes(deps, connector, delivery, request.rawBody)
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
    const subject = await findSubject(deps, delivery, update)
    if (!subject) {
      if (delivery.verdict !== 'forged' && update.isPerhapsForeign !== true)
        await receiveUnknown(deps, delivery, update)
    } else if (subject.accountId === delivery.account.accountId) await subject.receive()
    else if (delivery.verdict !== 'forged') await refuseFromOther(deps, delivery, update, subject)
  } catch (error) {
    // The inbox has it already, or enough unproven ones: the engine polls anyway. Any other violation is a defect.
    if (!isUniqueViolation(error, 'inbox_pkey') && !isInboxFull(error)) throw error
  }
}

/** What a message is about, and the account that carries it. */
interface Subject {
  orgId: string
  paymentId: string
  accountId: string | null
  receive(): Promise<void>
}

async function findSubject(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
): Promise<Subject | undefined> {
  if (update.subject === 'refund') {
    const refund = await findReportedRefund(deps, delivery, update)
    if (refund) return { ...refund, receive: () => receiveForRefund(deps, delivery, update, refund) }
  }
  const attempt = await findReported(deps, delivery, update)
  if (attempt)
    return {
      ...attempt,
      receive: () =>
        update.subject === 'refund'
          ? receiveForRefundedPayment(deps, delivery, update, attempt)
          : receiveForAttempt(deps, delivery, update, attempt),
    }
  const leg = await findLeg(deps, update.reference)
  if (leg) return { ...leg, receive: () => receiveForLeg(deps, delivery, update, leg) }
  const named = await findLegByProviderRef(deps, delivery.account, update.reference)
  return named && { ...named, receive: () => receiveForLegByProviderRef(deps, delivery, update, named) }
}

async function findReportedRefund(deps: WebhookDeps, { account }: Delivery, update: ProviderUpdate) {
  const refund = await findRefundByReference(deps, update.reference)
  const refundId = update.refundOf?.refundId ?? null
  return (
    refund ?? (refundId === null ? undefined : findRefundByProviderRef(deps, account.accountId, refundId))
  )
}

const findReported = (deps: WebhookDeps, { account }: Delivery, { reference, refundOf }: ProviderUpdate) =>
  refundOf ? findRefundedAttempt(deps, account.accountId, refundOf) : findAttempt(deps, reference)

/** Whoever can sign for one account must not move what another one carries: the message is recorded and raised. */
async function refuseFromOther(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  { orgId, paymentId }: Subject,
): Promise<void> {
  const ownerId = delivery.account.orgId
  const row = inboxRow(delivery, update, {
    paymentId: orgId === ownerId ? paymentId : null,
    result: 'refused: another account carries it',
  })
  await writeForOwner(deps, ownerId, [
    insertInboxRow(ownerId, row),
    insertException(ownerId, messageFromOther(delivery.account, update.reference)),
  ])
}

const writeForOwner = async (
  deps: WebhookDeps,
  ownerId: string,
  statements: CompiledQuery[],
): Promise<void> => {
  if (ownerId === installationOrgId) await deps.db.batchAcrossOrgs(statements)
  else await deps.db.batchInOrg(ownerId, statements)
}

async function receiveUnknown(deps: WebhookDeps, delivery: Delivery, update: ProviderUpdate): Promise<void> {
  const { orgId, provider, accountId } = delivery.account
  if (delivery.verdict !== 'verified') deps.limitUnverified(accountId)
  const row = insertInboxRow(
    orgId,
    inboxRow(delivery, update, { paymentId: null, result: 'no payment has this reference' }),
  )
  const exception = insertException(orgId, {
    kind: 'unknown_reference',
    paymentId: null,
    provider,
    findingKey: `unknown_reference ${provider} ${accountId} ${update.reference}`,
    summary: `${provider} reports ${update.providerStatus} for a reference that no payment here has: ${update.reference}.`,
  })
  await writeForOwner(deps, orgId, [row, exception])
}
