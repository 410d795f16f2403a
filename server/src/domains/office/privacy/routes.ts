import type { App } from '../../../http/app.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { getErasure, listErasures } from './reads.ts'
import type { ErasureDeps } from './record.ts'
import { requestErasure } from './request-erasure.ts'
import {
  erasurePage,
  erasureParams,
  erasureResponse,
  listErasuresQuery,
  requestErasureBody,
  toErasureOrder,
  toErasurePage,
  toErasureView,
} from './schema.ts'

const tags = ['Privacy']

export function privacyRoutes(app: App, deps: ErasureDeps & { cursorKey: KeyRing }): void {
  app.post(
    '/v1/privacy/erasures',
    {
      config: { access: { permission: 'organizations:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'erasures.request',
        summary: 'Erase the personal data of a payer or a beneficiary',
        description:
          'Name the person by exactly one of `email`, `phone` (with `+` and the code of the country), `payment_id` and `beneficiary_id`. Runs in the background and cannot be undone; payments and the ledger keep their amounts. Answers 202 with a change request where a second person has to approve it. Refused while a payment of the person has not ended, is disputed or is under a legal hold. A person about whom nothing is stored is erased already.',
        body: requestErasureBody,
        response: { 201: erasureResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, body }, reply) => {
      const outcome = await requestErasure(deps, caller, toErasureOrder(body))
      if (outcome.held) return reply.status(202).send(toHeld(outcome.held))
      const message =
        outcome.done.status === 'done'
          ? 'Nothing is stored about this person.'
          : 'The person is being erased.'
      return reply.status(201).send(ok(message, toErasureView(outcome.done)))
    },
  )
  app.get(
    '/v1/privacy/erasures',
    {
      config: { access: { permission: 'organizations:read' } },
      schema: {
        tags,
        operationId: 'erasures.list',
        summary: 'List erasures',
        description: 'Newest first. They name records and never the person.',
        querystring: listErasuresQuery,
        response: { 200: erasurePage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toErasurePage(
        await listErasures(deps, caller, { page: { limit: query.limit, cursor: query.last_evaluated_key } }),
      ),
  )
  app.get(
    '/v1/privacy/erasures/:erasure_id',
    {
      config: { access: { permission: 'organizations:read' } },
      schema: {
        tags,
        operationId: 'erasures.get',
        summary: 'Get an erasure',
        description: 'Tells whether it has ended.',
        params: erasureParams,
        response: { 200: erasureResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('The erasure.', toErasureView(await getErasure(deps, caller, { erasureId: params.erasure_id }))),
  )
}
