import type { FastifyReply } from 'fastify'
import type { App } from '../../../http/app.ts'
import { registerPages, type LimitPages } from '../../../http/pages/customer-page.ts'
import { pagePolicy } from '../../../lib/text/html.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { answerVerification } from './answer-verification.ts'
import { getVerificationRequest } from './get-request.ts'
import { listRequests } from './list-requests.ts'
import type { AnswerDeps } from './record.ts'
import { requestVerification } from './request-verification.ts'
import * as schema from './schema.ts'
import { toAnsweredView, toOrder, toRequestPage, toVerificationResponse } from './schema.ts'
import { showVerification } from './show-verification.ts'

interface VerificationRouteDeps extends AnswerDeps {
  cursorKey: KeyRing
  limitPages: LimitPages
}

export function verificationRequestRoutes(app: App, deps: VerificationRouteDeps): void {
  requestEndpoint(app, deps)
  readEndpoints(app, deps)
  registerPages(app, deps.limitPages, (scope) => answerPages(scope, deps))
}

function requestEndpoint(app: App, deps: VerificationRouteDeps): void {
  app.post(
    '/v1/users/notifications/verification-request',
    {
      config: { spec: '4.17', access: { permission: 'verifications:write' } },
      schema: {
        tags: ['Notifications'],
        operationId: 'verificationRequests.create',
        description:
          'Each target gets a mail with a link to a page on which the number is entered; `sent` means that the notice is durably queued. 207 if only some could be queued. Mails are limited by recipient and by organisation (429).',
        summary: 'Request the BVN or NIN of the sender, the beneficiary or both',
        body: schema.verificationBody,
        response: {
          200: schema.verificationResponse,
          207: schema.verificationResponse,
          ...errors(404, 409),
        },
      },
    },
    async ({ caller, body }, reply) => {
      const results = await requestVerification(deps, caller, toOrder(body))
      const answer = toVerificationResponse(body, results)
      return reply.status(answer.all_success ? 200 : 207).send(answer)
    },
  )
}

function readEndpoints(app: App, deps: VerificationRouteDeps): void {
  const tags = ['Notifications']
  app.get(
    '/v1/users/notifications/verification-requests',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'verificationRequests.list',
        description: 'The numbers themselves are not in the list.',
        summary: 'List the verification requests and their status, without the answers',
        querystring: schema.listRequestsQuery,
        response: { 200: schema.requestPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toRequestPage(
        await listRequests(deps, caller, {
          paymentId: query.transaction_id,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
        deps.clock.now(),
      ),
  )
  app.get(
    '/v1/users/notifications/verification-requests/:request_id',
    {
      config: { access: { permission: 'verifications:read' } },
      schema: {
        tags,
        operationId: 'verificationRequests.get',
        description: 'Shows the number that was entered, if any. Every call is recorded in the audit log.',
        summary: 'Get a verification request with its answer; the access is recorded in the audit log',
        params: schema.requestParams,
        response: { 200: schema.requestResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const request = await getVerificationRequest(deps, caller, { requestId: params.request_id })
      return ok('Verification request.', toAnsweredView(request, deps.clock.now()))
    },
  )
}

/** These pages need no account: the token in the link is the credential. */
function answerPages(app: App, deps: VerificationRouteDeps): void {
  app.get(
    '/verify/:token',
    {
      config: { access: { permission: 'public' } },
      schema: {
        hide: true,
        summary: 'Show the page on which a person answers a verification request',
        params: schema.tokenParams,
      },
    },
    async ({ params }, reply) => sendPage(reply, await showVerification(deps, params.token)),
  )
  app.post(
    '/verify/:token',
    {
      config: { takesForm: true, access: { permission: 'public' } },
      schema: {
        hide: true,
        summary: 'Submit the answer to a verification request',
        params: schema.tokenParams,
        body: schema.answerBody,
      },
    },
    async ({ params, body }, reply) =>
      sendPage(reply, await answerVerification(deps, params.token, body.answer)),
  )
}

const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('content-security-policy', pagePolicy)
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(html)
