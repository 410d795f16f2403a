import type { App } from '../../http/app.ts'
import { errors, ok } from '../../lib/wire.ts'
import { closeException } from './close-exception.ts'
import { listExceptions } from './list-exceptions.ts'
import type { ExceptionDeps } from './record.ts'
import { releaseMoney } from './release-money.ts'
import * as schema from './schema.ts'
import { toException, toExceptionPage } from './schema.ts'

export function exceptionRoutes(app: App, deps: ExceptionDeps): void {
  const tags = ['Exceptions']
  app.get(
    '/v1/payments/exceptions',
    {
      config: { access: { permission: 'exceptions:read' } },
      schema: {
        tags,
        summary: 'List the cases that need manual review',
        querystring: schema.listExceptionsQuery,
        response: { 200: schema.exceptionPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toExceptionPage(
        await listExceptions(deps, caller, {
          filters: { status: query.status, kind: query.kind, paymentId: query.payment_id },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.post(
    '/v1/payments/exceptions/:exception_id/close',
    {
      config: { access: { permission: 'exceptions:write' } },
      schema: {
        tags,
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
      config: { access: { permission: 'exceptions:write' } },
      schema: {
        tags,
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
