import { notFound } from '../../lib/errors.ts'
import type { Links } from '../../lib/links.ts'
import { getNotificationStates } from '../notifications/get-states.ts'
import { queueNotification } from '../notifications/queue-notification.ts'
import { getOrganizationById } from '../organizations/get-organization.ts'
import { findMemberById } from '../organizations/members/get-member.ts'
import { returnReference } from '../payments/build-return-url.ts'
import { loadPayment } from '../payments/get-payment.ts'
import { renderForm, renderNote } from './answer-page.ts'
import type { VerificationRequest, VerificationDeps } from './record.ts'
import { answerContext, readAnswer, requestStatusAt, verificationNames } from './rules.ts'
import { findRequest, setAnswer } from './store.ts'

export interface AnswerDeps extends VerificationDeps {
  links: Links
}

interface OpenedRequest {
  request: VerificationRequest
  language: string
}

export async function showVerification(deps: AnswerDeps, token: string): Promise<string> {
  const opened = await openRequest(deps, token)
  return pageOf(deps, opened)
}

/** Accepts one answer. It is sealed before it is stored and appears in no log, event or notice. */
export async function answerVerification(deps: AnswerDeps, token: string, text: string): Promise<string> {
  const opened = await openRequest(deps, token)
  const { request, language } = opened
  const now = deps.clock.now()
  const answer = readAnswer(text)
  if (answer === undefined || requestStatusAt(request, now) !== 'open') return pageOf(deps, opened, true)
  const { orgId, requestId } = request
  const answerSealed = await deps.vault.seal(orgId, answerContext(requestId), answer)
  const reference = await referenceOf(deps, request)
  const requester = await findMemberById(deps, orgId, request.requestedBy)
  const isTaken = await deps.db.inOrg(orgId, async (tx) => {
    if (!(await setAnswer(tx, orgId, { requestId, answerSealed, at: now }))) return false
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

async function openRequest(deps: AnswerDeps, token: string): Promise<OpenedRequest> {
  const ids = deps.links.read('verification', token)
  const opened =
    ids &&
    (await deps.db.inOrg(ids.orgId, async (tx) => {
      const request = await findRequest(tx, ids.orgId, ids.id)
      const states = request && (await getNotificationStates(tx, ids.orgId, [request.notificationId]))
      return request && { request, language: states?.get(request.notificationId)?.language ?? 'en' }
    }))
  if (!opened) throw notFound('This page')
  return opened
}

async function pageOf(deps: AnswerDeps, opened: OpenedRequest, isWrong = false): Promise<string> {
  const { request, language } = opened
  const status = requestStatusAt(request, deps.clock.now())
  if (status !== 'open') return renderNote(language, status)
  const { name } = await getOrganizationById(deps, request.orgId)
  return renderForm(language, { orgName: name, what: verificationNames[request.verificationType], isWrong })
}
