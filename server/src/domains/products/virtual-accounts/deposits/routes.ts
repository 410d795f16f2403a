import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { exceptionParams, exceptionResponse, toException } from '../../../people/exceptions/schema.ts'
import { changeRequestResponse, toHeld } from '../../../people/change-requests/schema.ts'
import { assignDeposit, type AssignDeps } from './assign-deposit.ts'
import { returnDeposit } from './return-deposit.ts'
import * as schema from './schema.ts'

export function depositRoutes(app: App, deps: AssignDeps): void {
  const tags = ['Exceptions']
  app.post(
    '/v1/payments/exceptions/:exception_id/assign-deposit',
    {
      config: { access: { permission: 'exceptions:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'exceptions.assignDeposit',
        description:
          'Books the amount from suspense to the account and closes the exception, once. A deposit at an account of the installation takes two operators where there are two; the answer is then 202 with a change request.',
        summary: 'Credit an unmatched deposit to the virtual account that it was meant for',
        params: exceptionParams,
        body: schema.assignBody,
        response: { 200: exceptionResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const assigned = await assignDeposit(deps, caller, {
        exceptionId: params.exception_id,
        accountId: body.account_id,
        comment: body.comment ?? null,
      })
      if (assigned.held) return reply.code(202).send(toHeld(assigned.held))
      return reply.send(ok('The deposit was assigned.', toException(assigned.done)))
    },
  )
  app.post(
    '/v1/payments/exceptions/:exception_id/return-deposit',
    {
      config: {
        access: { permission: 'exceptions:write' },
        control: 'none: it books that money went back to its sender at the provider, and credits nobody',
      },
      schema: {
        tags,
        operationId: 'exceptions.returnDeposit',
        description:
          'Send the money back at the provider first; this call only books it and closes the exception.',
        summary: 'Record that an unmatched deposit was returned to its sender',
        params: exceptionParams,
        body: schema.returnBody,
        response: { 200: exceptionResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const closed = await returnDeposit(deps, caller, {
        exceptionId: params.exception_id,
        comment: body.comment,
      })
      return ok('The deposit was returned.', toException(closed))
    },
  )
}
