import { queueNotification } from '../../people/notifications/queue-notification.ts'
import { findMemberById } from '../../people/organizations/members/reads.ts'
import { returnReference } from '../../payments/actions/build-return-url.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { privateContext } from '../../payments/record.ts'
import { buildEvent } from '../../events/webhooks/build-event.ts'
import { recordEvent } from '../../events/webhooks/publish-events.ts'
import type { NewEvent } from '../../events/webhooks/record.ts'
import type { AnswerDeps, VerificationRequest } from './record.ts'
import { renderNote } from './render-answer-page.ts'
import { answerContext, readAnswer, requestStatusAt, verificationNames } from './rules.ts'
import { openRequest, pageOf } from './show-verification.ts'
import { setAnswer } from './store.ts'

/** Accepts one answer. It is sealed before it is stored and appears in no log, event or notice. */
export async function answerVerification(deps: AnswerDeps, token: string, text: string): Promise<string> {
  const opened = await openRequest(deps, token)
  const { request, language } = opened
  const now = deps.clock.now()
  const answer = readAnswer(text)
  if (answer === undefined || requestStatusAt(request, now) !== 'open') return pageOf(deps, opened, true)
  const { orgId, requestId } = request
  const answerSealed = await deps.vault.seal(
    orgId,
    answerContext(requestId),
    answer,
    privateContext(request.paymentId),
  )
  const reference = await referenceOf(deps, request)
  const requester = await findMemberById(deps, orgId, request.requestedBy)
  const isTaken = await deps.db.inOrg(orgId, async (tx) => {
    if (!(await setAnswer(tx, orgId, { requestId, answerSealed, at: now }))) return false
    await recordEvent(tx, orgId, answerEvent(request, now))
    if (requester)
      await queueNotification(tx, orgId, {
        userId: requester.userId,
        template: 'verification-answered',
        recipient: requester.email,
        country: requester.country,
        variables: { what: verificationNames[request.verificationType], reference },
      })
    return true
  })
  return renderNote(language, isTaken ? 'thanks' : 'answered')
}

async function referenceOf(deps: AnswerDeps, request: VerificationRequest): Promise<string> {
  const { payment } = await loadPayment(deps, request.orgId, request.paymentId)
  return returnReference(payment)
}

const answerEvent = (request: VerificationRequest, at: Date): NewEvent =>
  buildEvent('kyc.submitted', {
    resourceId: request.requestId,
    createdAt: at,
    data: {
      request_id: request.requestId,
      transaction_id: request.paymentId,
      org_id: request.orgId,
      target: request.target,
      user_id: request.targetId,
      verification_type: request.verificationType,
      updated_at: at.toISOString(),
      sequence: 1,
    },
  })
