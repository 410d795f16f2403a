import type { App } from '../../../http/app.ts'
import type { Log } from '../../../lib/log.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { createSuspension } from './create-suspension.ts'
import { getSuspension, listSuspensions } from './reads.ts'
import { liftSuspension } from './lift-suspension.ts'
import type { SuspensionDeps } from './record.ts'
import {
  createSuspensionBody,
  liftSuspensionBody,
  listSuspensionsQuery,
  suspensionPage,
  suspensionParams,
  suspensionResponse,
  toSuspensionPage,
  toSuspensionView,
} from './schema.ts'

const tags = ['Platform']

export function suspensionRoutes(app: App, deps: SuspensionDeps & { log: Log }): void {
  suspensionReads(app, deps)
  app.post(
    '/v1/platform/suspensions',
    {
      config: {
        access: { permission: 'platform:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'suspensions.create',
        summary: 'Suspend an organisation, a member, an API key, a provider account, or all payouts',
        description:
          'In force within a second in every process, also for what is queued. What was sent is followed to its end; what was queued waits until the suspension is lifted, and new payouts are refused. Reads and payins of an organisation go on. Answers 200 with the suspension in force if there is one.',
        body: createSuspensionBody,
        response: { 200: suspensionResponse, 201: suspensionResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, body }, reply) => {
      const { suspension, isNew } = await createSuspension(deps, caller, {
        kind: body.kind,
        orgId: body.org_id,
        subjectId: body.subject_id,
        reason: body.reason,
      })
      const message = isNew ? 'Suspended.' : 'It was suspended already.'
      return reply.status(isNew ? 201 : 200).send(ok(message, toSuspensionView(suspension)))
    },
  )
  app.post(
    '/v1/platform/suspensions/:suspension_id/lift',
    {
      config: { access: { permission: 'platform:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'suspensions.lift',
        summary: 'Lift a suspension',
        description:
          'Answers 202 with a change request, which another operator has to approve. An installation with one operator lifts it at once. What was held back goes on by itself within seconds.',
        params: suspensionParams,
        body: liftSuspensionBody,
        response: { 200: suspensionResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const outcome = await liftSuspension(deps, caller, {
        suspensionId: params.suspension_id,
        reason: body.reason,
      })
      if (outcome.held) return reply.status(202).send(toHeld(outcome.held))
      return reply.send(ok('The suspension is lifted.', toSuspensionView(outcome.done)))
    },
  )
}

function suspensionReads(app: App, deps: SuspensionDeps): void {
  app.get(
    '/v1/platform/suspensions',
    {
      config: { access: { permission: 'platform:read' } },
      schema: {
        tags,
        operationId: 'suspensions.list',
        summary: 'List suspensions',
        description: 'Those in force and those that were lifted, newest first.',
        querystring: listSuspensionsQuery,
        response: { 200: suspensionPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toSuspensionPage(
        await listSuspensions(deps, caller, {
          filters: { status: query.status, kind: query.kind, orgId: query.org_id },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/platform/suspensions/:suspension_id',
    {
      config: { access: { permission: 'platform:read' } },
      schema: {
        tags,
        operationId: 'suspensions.get',
        summary: 'Get a suspension',
        description: 'Who suspended what and why, and who lifted it.',
        params: suspensionParams,
        response: { 200: suspensionResponse, ...errors(404) },
      },
    },
    async ({ params }) =>
      ok('Suspension.', toSuspensionView(await getSuspension(deps, params.suspension_id))),
  )
}
