import type { Caller } from '../../../lib/requests/access.ts'
import { AppError, notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getBeneficiary } from '../../parties/beneficiaries/reads.ts'
import { queueNotification, sealNotice } from '../../people/notifications/queue-notification.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import { findMemberById } from '../../people/organizations/members/reads.ts'
import { returnReference } from '../../payments/actions/build-return-url.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { privateContext } from '../../payments/record.ts'
import { publicNameOf } from '../../people/organizations/rules.ts'
import { nobodyNotified, notNotified, notOfTransaction, notTheSender } from './errors.ts'
import type { Target, VerificationOrder, VerificationResult, VerificationDeps } from './record.ts'
import { requestExpiryFrom, verificationNames } from './rules.ts'
import { insertRequest } from './store.ts'

/** Why a target gets no request: the reason to report, and the error if no target gets one. */
interface Obstacle {
  reason: string
  refusal: AppError
}

interface Recipient {
  userId: string | null
  email: string
  firstName: string
  country: string | null
}

/** Notifies each target separately, so that one without an address does not prevent the other. */
export async function requestVerification(
  deps: VerificationDeps,
  caller: Caller,
  order: VerificationOrder,
): Promise<VerificationResult[]> {
  const { payment } = await loadPayment(deps, caller.orgId, order.paymentId)
  const senderId = payment.onBehalfOf ?? payment.userId
  if (senderId !== order.userId) throw notTheSender()
  const parties: Record<Target, string | null> = {
    sender: senderId,
    beneficiary: payment.beneficiaryId,
  }
  const stranger = order.targets.find(({ target, id }) => parties[target] !== id)
  if (stranger) throw notOfTransaction(stranger.target)
  const organization = await getOrganizationById(deps, caller.orgId)
  const variables = {
    orgName: publicNameOf(organization),
    what: verificationNames[order.verificationType],
    reference: returnReference(payment),
    message: order.message,
  }
  const results: VerificationResult[] = []
  const refusals: AppError[] = []
  for (const { target, id } of order.targets) {
    const recipient = await findRecipient(deps, caller.orgId, target, id)
    const asked =
      'reason' in recipient
        ? recipient
        : await requestFrom(deps, caller, order, { target, id, recipient, variables }).catch(asObstacle)
    if ('reason' in asked) {
      refusals.push(asked.refusal)
      results.push({ target, id, requestId: undefined, message: asked.reason })
    } else results.push(asked)
  }
  if (refusals.length < results.length) return results
  throw (
    refusals.find((refusal) => refusals.length === 1 || refusal.status === 429) ??
    nobodyNotified(results.map(({ target, message }) => ({ path: `${target}_id`, message })))
  )
}

/** The limit of one recipient does not keep the other from being asked. */
function asObstacle(error: unknown): Obstacle {
  if (error instanceof AppError && error.status === 429) return { reason: error.message, refusal: error }
  throw error
}

/** Returns the obstacle where there is no recipient. */
async function findRecipient(
  deps: VerificationDeps,
  orgId: string,
  target: Target,
  id: string,
): Promise<Recipient | Obstacle> {
  if (target === 'sender') {
    const member = await findMemberById(deps, orgId, id)
    return member ?? unknown(target, 'The sender is no member of the organisation.')
  }
  try {
    const { details, country } = await getBeneficiary(deps, orgId, { beneficiaryId: id })
    if (details.email === null) return withoutAddress('The beneficiary has no e-mail address.')
    return { userId: null, email: details.email, firstName: details.fname, country }
  } catch (error) {
    if (error instanceof AppError && error.status === 404)
      return unknown(target, 'There is no such beneficiary.')
    throw error
  }
}

const unknown = (target: Target, reason: string): Obstacle => ({
  reason,
  refusal: notFound(`The ${target}`),
})
const withoutAddress = (reason: string): Obstacle => ({ reason, refusal: notNotified(reason) })

interface VerificationInput {
  target: Target
  id: string
  recipient: Recipient
  variables: Record<string, string>
}

/** The request, its notice and its audit row are one commit; the engine then retries until the notice is sent. */
async function requestFrom(
  deps: VerificationDeps,
  caller: Caller,
  order: VerificationOrder,
  { target, id, recipient, variables }: VerificationInput,
): Promise<VerificationResult> {
  const { orgId, userId } = caller
  const requestId = newId()
  const words = { recipient: recipient.email, variables: { ...variables, firstName: recipient.firstName } }
  // Personal data of beneficiaries is sealed everywhere; members' names and addresses are not.
  const isSealed = recipient.userId === null
  const content = isSealed
    ? {
        recipient: '',
        variables: {},
        sealed: await sealNotice(deps.vault, orgId, { ...words, subject: privateContext(order.paymentId) }),
      }
    : words
  await deps.db.inOrg(orgId, async (tx) => {
    const notice = {
      userId: recipient.userId,
      template: 'verification-request',
      country: recipient.country,
      priority: order.priority,
      link: { kind: 'verification', id: requestId },
      ...content,
    } as const
    await deps.limitMails(tx, orgId, recipient.email)
    const notificationId = await queueNotification(tx, orgId, notice, caller.origin.requestId)
    await insertRequest(tx, orgId, {
      requestId,
      paymentId: order.paymentId,
      target,
      targetId: id,
      verificationType: order.verificationType,
      triggeredBy: order.triggeredBy,
      requestedBy: userId,
      notificationId,
      expiresAt: requestExpiryFrom(deps.clock.now()),
    })
    await recordAudit(tx, caller, orgId, {
      action: 'verification.request',
      resourceType: 'verification-request',
      resourceId: requestId,
      after: { target, target_id: id, transaction_id: order.paymentId, type: order.verificationType },
    })
  })
  return { target, id, requestId, message: `The ${target} is asked by a notice.` }
}
