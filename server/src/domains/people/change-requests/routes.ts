import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { approveRequest } from './approve-request.ts'
import { cancelRequest } from './cancel-request.ts'
import { getChangeControl, getRequest, listRequests } from './reads.ts'
import type { ChangeRequestDeps } from './record.ts'
import { rejectRequest } from './reject-request.ts'
import * as schema from './schema.ts'
import { toChangeRequest, toChangeRequestPage } from './schema.ts'
import { setChangeControl } from './set-control.ts'

export function changeRequestRoutes(app: App, deps: ChangeRequestDeps): void {
  readEndpoints(app, deps)
  decisionEndpoints(app, deps)
  controlEndpoints(app, deps)
}

const tags = ['Approvals']

function readEndpoints(app: App, deps: ChangeRequestDeps): void {
  app.get(
    '/v1/organizations/:org_id/change-requests',
    {
      config: { access: { permission: 'approval-policies:read' } },
      schema: {
        tags,
        operationId: 'changeRequests.list',
        description:
          'Secrets and account numbers in a request are never shown. A request that nobody decides about expires after 72 hours.',
        summary: 'List the changes that wait for a second person, and those that were decided',
        params: schema.orgParams,
        querystring: schema.listRequestsQuery,
        response: { 200: schema.changeRequestPage, ...errors() },
      },
    },
    async ({ caller, params, query }) =>
      toChangeRequestPage(
        await listRequests(deps, caller, {
          orgId: params.org_id,
          status: query.status,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
        deps.clock.now(),
      ),
  )
  app.get(
    '/v1/organizations/:org_id/change-requests/:request_id',
    {
      config: { access: { permission: 'approval-policies:read' } },
      schema: {
        tags,
        operationId: 'changeRequests.get',
        description: '`summary` says in one sentence what would change.',
        summary: 'Get a change request',
        params: schema.requestParams,
        response: { 200: schema.changeRequestResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const ids = { orgId: params.org_id, requestId: params.request_id }
      return toChangeRequest('Change request.', await getRequest(deps, caller, ids), deps.clock.now())
    },
  )
}

const approvedFirst = 'You have approved this change. It takes effect once another operator approves it too.'

function decisionEndpoints(app: App, deps: ChangeRequestDeps): void {
  app.post(
    '/v1/organizations/:org_id/change-requests/:request_id/approve',
    {
      config: { access: { permission: 'approval-policies:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'changeRequests.approve',
        description:
          'The change is made in the same transaction. Nobody approves a change that they asked for; it is checked again and refused with 409 if it no longer fits. What creates or releases pooled money takes two operators if an organisation asks for it and the installation has two: after the first, the request is still `pending`.',
        summary: 'Approve a change that somebody else asked for; it is made at once',
        params: schema.requestParams,
        body: schema.decisionBody,
        response: { 200: schema.changeRequestResponse, ...errors(404, 409, 422) },
      },
    },
    async ({ caller, params, body }) => {
      const ids = { orgId: params.org_id, requestId: params.request_id }
      const approved = await approveRequest(deps, caller, { ...ids, comments: body?.comments ?? null })
      const message = approved.status === 'approved' ? 'The change was made.' : approvedFirst
      return toChangeRequest(message, approved, deps.clock.now())
    },
  )
  app.post(
    '/v1/organizations/:org_id/change-requests/:request_id/reject',
    {
      config: {
        access: { permission: 'approval-policies:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'changeRequests.reject',
        description: 'Nothing changes, and the requester can ask again.',
        summary: 'Reject a change that somebody else asked for',
        params: schema.requestParams,
        body: schema.decisionBody,
        response: { 200: schema.changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const ids = { orgId: params.org_id, requestId: params.request_id }
      const rejected = await rejectRequest(deps, caller, { ...ids, comments: body?.comments ?? null })
      return toChangeRequest('The change was rejected.', rejected, deps.clock.now())
    },
  )
  app.post(
    '/v1/organizations/:org_id/change-requests/:request_id/cancel',
    {
      config: { access: { permission: 'member' } },
      schema: {
        tags,
        operationId: 'changeRequests.cancel',
        description: 'Only the member who asked for the change can cancel it, and only while it is pending.',
        summary: 'Cancel a change that you asked for',
        params: schema.requestParams,
        response: { 200: schema.changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      const ids = { orgId: params.org_id, requestId: params.request_id }
      return toChangeRequest(
        'The request was canceled.',
        await cancelRequest(deps, caller, ids),
        deps.clock.now(),
      )
    },
  )
}

function controlEndpoints(app: App, deps: ChangeRequestDeps): void {
  app.get(
    '/v1/organizations/:org_id/change-control',
    {
      config: { access: { permission: 'approval-policies:read' } },
      schema: {
        tags,
        operationId: 'changeControl.get',
        description: 'Control is on as soon as the organisation has an approval policy.',
        summary: 'Get whether changes that weaken control need a second person',
        params: schema.orgParams,
        response: { 200: schema.controlResponse, ...errors() },
      },
    },
    async ({ caller, params }) =>
      ok('Change control.', { enabled: await getChangeControl(deps, caller, { orgId: params.org_id }) }),
  )
  app.put(
    '/v1/organizations/:org_id/change-control',
    {
      config: {
        access: { permission: 'approval-policies:write' },
        control:
          'none: only the single administrator of an organisation can switch it off, and the operator is told',
      },
      schema: {
        tags,
        operationId: 'changeControl.set',
        description:
          'It can be switched off only while the organisation has one administrator, and the operator is told of it.',
        summary: 'Switch change control on, or off where there is only one administrator',
        params: schema.orgParams,
        body: schema.controlBody,
        response: { 200: schema.controlResponse, ...errors(409) },
      },
    },
    async ({ caller, params, body }) =>
      ok('Change control was set.', {
        enabled: await setChangeControl(deps, caller, { orgId: params.org_id, enabled: body.enabled }),
      }),
  )
}
