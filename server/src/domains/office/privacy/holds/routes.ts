import type { Vault } from '../../../../kernel/db/vault.ts'
import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { createHold } from './create-hold.ts'
import { liftHold } from './lift-hold.ts'
import { listHolds } from './list-holds.ts'
import type { HoldDeps } from './record.ts'
import {
  createHoldBody,
  holdPage,
  holdParams,
  holdResponse,
  listHoldsQuery,
  toHoldPage,
  toHoldView,
} from './schema.ts'

const tags = ['Privacy']

export function holdRoutes(app: App, deps: HoldDeps & { vault: Vault }): void {
  app.post(
    '/v1/privacy/holds',
    {
      config: {
        access: { permission: 'organizations:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'legalHolds.create',
        summary: 'Place a payment, a beneficiary or the organisation under a legal hold',
        description:
          'Until it is lifted, nobody can erase the person whom the record is about; with the id of the organisation, nobody at all. No month in which the organisation has rows is archived meanwhile.',
        body: createHoldBody,
        response: { 201: holdResponse, ...errors(404) },
      },
    },
    async ({ caller, body }, reply) => {
      const hold = await createHold(deps, caller, {
        subject: body.subject,
        subjectId: body.subject_id,
        reason: body.reason,
      })
      return reply.status(201).send(ok('The record is under a legal hold.', toHoldView(hold)))
    },
  )
  app.get(
    '/v1/privacy/holds',
    {
      config: { access: { permission: 'organizations:read' } },
      schema: {
        tags,
        operationId: 'legalHolds.list',
        summary: 'List legal holds',
        description: 'Those in force and those that were lifted, newest first.',
        querystring: listHoldsQuery,
        response: { 200: holdPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toHoldPage(
        await listHolds(deps, caller, { page: { limit: query.limit, cursor: query.last_evaluated_key } }),
      ),
  )
  app.post(
    '/v1/privacy/holds/:hold_id/lift',
    {
      config: {
        access: { permission: 'organizations:write' },
        control: 'none: an erasure, which the hold prevented, takes a second person itself',
      },
      schema: {
        tags,
        operationId: 'legalHolds.lift',
        summary: 'Lift a legal hold',
        description: 'The person can be erased again.',
        params: holdParams,
        response: { 200: holdResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('The hold is lifted.', toHoldView(await liftHold(deps, caller, { holdId: params.hold_id }))),
  )
}
