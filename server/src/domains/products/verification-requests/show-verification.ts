import { notFound } from '../../../lib/errors.ts'
import { getNotificationStates } from '../../people/notifications/reads.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import { publicNameOf } from '../../people/organizations/rules.ts'
import type { AnswerDeps, VerificationRequest } from './record.ts'
import { renderForm, renderNote } from './render-answer-page.ts'
import { requestStatusAt, verificationNames } from './rules.ts'
import { findRequest } from './store.ts'

interface OpenedRequest {
  request: VerificationRequest
  language: string
}

export async function showVerification(deps: AnswerDeps, token: string): Promise<string> {
  const opened = await openRequest(deps, token)
  return pageOf(deps, opened)
}

export async function openRequest(deps: AnswerDeps, token: string): Promise<OpenedRequest> {
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

export async function pageOf(deps: AnswerDeps, opened: OpenedRequest, isWrong = false): Promise<string> {
  const { request, language } = opened
  const status = requestStatusAt(request, deps.clock.now())
  if (status !== 'open') return renderNote(language, status)
  const orgName = publicNameOf(await getOrganizationById(deps, request.orgId))
  return renderForm(language, { orgName, what: verificationNames[request.verificationType], isWrong })
}
