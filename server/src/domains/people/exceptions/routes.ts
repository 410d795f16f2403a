import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { addNote } from './add-note.ts'
import { assignException } from './assign-exception.ts'
import { closeException } from './close-exception.ts'
import { getException, listExceptions } from './reads.ts'
import type { ExceptionDeps } from './record.ts'
import { releaseMoney } from './release-money.ts'
import * as schema from './schema.ts'
import { toException, toExceptionPage, toExceptionWithNotes } from './schema.ts'

const tags = ['Exceptions']

export function exceptionRoutes(app: App, deps: ExceptionDeps): void {
  reviewEndpoints(app, deps)
  settleEndpoints(app, deps)
}

function reviewEndpoints(app: App, deps: ExceptionDeps): void {
  app.get(
    '/v1/payments/exceptions',
    {
      config: { access: { permission: 'exceptions:read' } },
      schema: {
        tags,
        operationId: 'exceptions.list',
        description:
          'What the service must not decide by itself: outcomes in doubt, money that nobody expected, differences from a statement. `suggested_action` names the call that settles each.',
        summary: 'List the cases that need manual review',
        querystring: schema.listExceptionsQuery,
        response: { 200: schema.exceptionPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toExceptionPage(
        await listExceptions(deps, caller, {
          filters: {
            status: query.status,
            kind: query.kind,
            paymentId: query.payment_id,
            assigneeId: query.assignee_id,
          },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/payments/exceptions/:exception_id',
    {
      config: { access: { permission: 'exceptions:read' } },
      schema: {
        tags,
        operationId: 'exceptions.get',
        description: 'Notes are in the order in which they were written.',
        summary: 'Get an exception with its notes',
        params: schema.exceptionParams,
        response: { 200: schema.exceptionWithNotesResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      toExceptionWithNotes(
        'Exception.',
        await getException(deps, caller, { exceptionId: params.exception_id }),
      ),
  )
  app.put(
    '/v1/payments/exceptions/:exception_id/assignee',
    {
      config: { access: { permission: 'exceptions:write' }, control: 'none: it only says who takes care' },
      schema: {
        tags,
        operationId: 'exceptions.assign',
        description:
          '`user_id: null` takes it from whoever had it. Exceptions of the installation go to a platform-admin only.',
        summary: 'Give an open exception to a member, or to nobody',
        params: schema.exceptionParams,
        body: schema.assigneeBody,
        response: { 200: schema.exceptionWithNotesResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const input = { exceptionId: params.exception_id, assigneeId: body.user_id }
      return toExceptionWithNotes('Exception assigned.', await assignException(deps, caller, input))
    },
  )
  app.post(
    '/v1/payments/exceptions/:exception_id/notes',
    {
      config: { access: { permission: 'exceptions:write' }, control: 'none: it only adds a note' },
      schema: {
        tags,
        operationId: 'exceptions.addNote',
        description: 'A note carries its author and time and can be neither changed nor deleted.',
        summary: 'Add a note to an exception; notes are never changed',
        params: schema.exceptionParams,
        body: schema.noteBody,
        response: { 201: schema.exceptionWithNotesResponse, ...errors(404) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const noted = await addNote(deps, caller, { exceptionId: params.exception_id, note: body.note })
      return reply.status(201).send(toExceptionWithNotes('Note added.', noted))
    },
  )
}

function settleEndpoints(app: App, deps: ExceptionDeps): void {
  app.post(
    '/v1/payments/exceptions/:exception_id/close',
    {
      config: { access: { permission: 'exceptions:write' }, control: 'none: it moves no money' },
      schema: {
        tags,
        operationId: 'exceptions.close',
        description:
          'For cases in which nothing has to be booked. A payment that is still in doubt raises its exception again at the next inquiry.',
        summary: 'Close an exception with its resolution',
        params: schema.exceptionParams,
        body: schema.closeExceptionBody,
        response: { 200: schema.exceptionResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      ok(
        'Exception closed.',
        toException(
          await closeException(deps, caller, {
            exceptionId: params.exception_id,
            resolution: body.resolution,
          }),
        ),
      ),
  )
  app.post(
    '/v1/payments/exceptions/:exception_id/release-money',
    {
      config: {
        access: { permission: 'exceptions:write' },
        control:
          'none: it books money that the provider has moved already, and what an organisation pays must be covered',
      },
      schema: {
        tags,
        operationId: 'exceptions.releaseMoney',
        description:
          'Books the amount out of suspense and closes the exception: `returned` if the payer got it back, `kept` if it is yours.',
        summary: 'Release the money that an exception holds in suspense',
        params: schema.exceptionParams,
        body: schema.releaseMoneyBody,
        response: { 200: schema.exceptionResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const closed = await releaseMoney(deps, caller, { exceptionId: params.exception_id, ...body })
      return ok('The money was released.', toException(closed))
    },
  )
}
