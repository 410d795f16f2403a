import type { App } from '../../../http/app.ts'
import { ok, errors } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { createSchedule } from './create-schedule.ts'
import { listSchedules, quoteFee } from './reads.ts'
import type { FeeDeps } from './record.ts'
import { closeSchedule } from './close-schedule.ts'
import {
  createScheduleBody,
  fromQuote,
  fromSchedule,
  listSchedulesQuery,
  quoteQuery,
  quoteResponse,
  scheduleParams,
  scheduleResponse,
  schedulesResponse,
  toQuote,
  toSchedule,
} from './schema.ts'

export function feeRoutes(app: App, deps: FeeDeps): void {
  const tags = ['Fees']
  app.get(
    '/v1/fees/quote',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'fees.quote',
        description:
          'Applies the schedules of this moment and stores nothing. The fee of a payment is the one at its initiation.',
        summary: 'Quote the fee of a payment before it is initiated',
        querystring: quoteQuery,
        response: { 200: quoteResponse, ...errors() },
      },
    },
    async ({ caller, query }) => {
      const payment = fromQuote(query)
      return toQuote(payment, await quoteFee(deps, caller, payment))
    },
  )
  app.get(
    '/v1/fees/schedules',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'feeSchedules.list',
        description:
          'Retired schedules stay in the list, because payments refer to the terms by which they were charged.',
        summary: 'List the fee schedules of an organisation, newest first',
        querystring: listSchedulesQuery,
        response: { 200: schedulesResponse, ...errors() },
      },
    },
    async ({ caller, query }) =>
      ok(
        'Fee schedules, newest first.',
        (await listSchedules(deps, caller, { orgId: query.org_id })).map(toSchedule),
      ),
  )
  app.post(
    '/v1/fees/schedules',
    {
      config: { access: { permission: 'platform:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'feeSchedules.create',
        description:
          'Only the operator writes schedules; without `org_id` one applies to every organisation. A schedule never changes: for new terms, create another one and retire the old one. Where there are two operators, it answers 202 until the second one has agreed.',
        summary: 'Create a fee schedule for one organisation or for all',
        body: createScheduleBody,
        response: { 201: scheduleResponse, 202: changeRequestResponse, ...errors(404) },
      },
    },
    async ({ caller, body }, reply) => {
      const created = await createSchedule(deps, caller, fromSchedule(body))
      if (created.held) return reply.code(202).send(toHeld(created.held))
      return reply.code(201).send(ok('The fee schedule applies to new payments.', toSchedule(created.done)))
    },
  )
  app.delete(
    '/v1/fees/schedules/:schedule_id',
    {
      config: { access: { permission: 'platform:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'feeSchedules.retire',
        description:
          'Payments that are initiated from now on do not use it. Payments of the past keep their fee.',
        summary: 'Retire a fee schedule',
        params: scheduleParams,
        response: { 200: scheduleResponse, 202: changeRequestResponse, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const closed = await closeSchedule(deps, caller, { scheduleId: params.schedule_id })
      if (closed.held) return reply.code(202).send(toHeld(closed.held))
      return reply.send(ok('The fee schedule no longer applies to new payments.', toSchedule(closed.done)))
    },
  )
}
