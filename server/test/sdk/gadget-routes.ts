import { z } from 'zod'
import type { App } from '../../src/http/app.ts'
import { rawNumber } from '../../src/lib/text/json.ts'
import { ok, success, wireDecimal } from '../../src/lib/requests/wire.ts'

const gadget = z
  .object({ gadget_id: z.string(), price: wireDecimal, colour: z.string(), is_fast: z.boolean() })
  .meta({ id: 'Gadget' })

/** Routes of a resource that the API does not have, for tests of what is generated from it. */
export function gadgetRoutes(app: App): void {
  const config = { access: { permission: 'public' } } as const
  app.post(
    '/v1/gadgets/:gadget_id/paint',
    {
      config,
      schema: {
        operationId: 'gadgets.paint',
        tags: ['Users'],
        summary: 'Paint a gadget',
        params: z.object({ gadget_id: z.string() }),
        querystring: z.object({ fast: z.enum(['true', 'false']).default('false') }),
        body: z.object({ price: z.number(), colour: z.enum(['red', 'blue']) }),
        response: { 200: success(gadget) },
      },
    },
    ({ params, query, body }) =>
      ok('painted', {
        gadget_id: params.gadget_id,
        price: rawNumber(body.price.toFixed(2)),
        colour: body.colour,
        is_fast: query.fast === 'true',
      }),
  )
  app.get(
    '/v1/gadgets',
    {
      config,
      schema: {
        operationId: 'gadgets.list',
        tags: ['Users'],
        summary: 'List the gadgets',
        querystring: z.object({ last_evaluated_key: z.string().optional() }),
        response: {
          200: success(z.array(gadget)).extend({
            meta: z.object({ last_evaluated_key: z.string().nullable() }),
          }),
        },
      },
    },
    () => ({
      ...ok('listed', [{ gadget_id: 'g-2', price: rawNumber('0.10'), colour: 'blue', is_fast: false }]),
      meta: { last_evaluated_key: null },
    }),
  )
}
