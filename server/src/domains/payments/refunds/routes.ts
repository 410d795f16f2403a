import type { App } from '../../../http/app.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { PaymentDeps } from '../record.ts'
import { listAllRefunds, listRefunds } from './reads.ts'
import { refundPayment } from './refund-payment.ts'
import {
  listRefundsQuery,
  paymentParams,
  refundAmount,
  refundBody,
  refundList,
  refundPage,
  refundResponse,
  toRefund,
  toRefundFilters,
  toRefundList,
  toRefundPage,
} from './schema.ts'

type RefundRouteDeps = PaymentDeps & { cursorKey: KeyRing }

export function refundRoutes(app: App, deps: RefundRouteDeps): void {
  paymentEndpoints(app, deps)
  app.get(
    '/v1/refunds',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags: ['Payments'],
        operationId: 'refunds.list',
        description:
          'Newest first. `origin` tells refunds of this API from those made at the provider itself.',
        summary: 'List the refunds of all payments, with filters',
        querystring: listRefundsQuery,
        response: { 200: refundPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toRefundPage(
        await listAllRefunds(deps, caller, {
          filters: toRefundFilters(query),
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}

function paymentEndpoints(app: App, deps: PaymentDeps): void {
  const tags = ['Payments']
  app.post(
    '/v1/payments/:payment_id/refund',
    {
      config: {
        access: { permission: 'refunds:write' },
        control: 'none: the money goes back to whoever paid it, and never more than they paid',
      },
      schema: {
        tags,
        operationId: 'refunds.create',
        description:
          'Without `amount`, all that is left is refunded. The amount is held from your balance at once, the refund is sent in the background, and `payment.refunded` tells its end; 422 if the balance does not cover it.',
        summary: 'Refund a completed payin in full or in part',
        params: paymentParams,
        body: refundBody,
        response: { 201: refundResponse, ...errors(404, 409, 422) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const { payment } = await loadPayment(deps, caller.orgId, params.payment_id)
      const refund = await refundPayment(deps, caller, {
        paymentId: params.payment_id,
        amount: refundAmount(body, payment.source.currency),
        reason: body.reason,
      })
      return reply.status(201).send(ok('Refund started.', toRefund(refund)))
    },
  )
  app.get(
    '/v1/payments/:payment_id/refunds',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'payments.listRefunds',
        description: "Includes refunds that were made in the provider's dashboard (`origin: provider`).",
        summary: 'List the refunds of a payment',
        params: paymentParams,
        response: { 200: refundList, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      toRefundList(await listRefunds(deps, caller, { paymentId: params.payment_id })),
  )
}
