import type { App } from '../../../http/app.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { LineageSource } from '../../people/empowerments/record.ts'
import { listAllRefunds, listAwaitingRefunds, listRefunds } from './reads.ts'
import { isWaitingRefund } from './record.ts'
import { refundPayment, type RefundDeps } from './refund-payment.ts'
import { reviewRefund, type ReviewRefundDeps } from './review-refund.ts'
import {
  awaitingRefundPage,
  listAwaitingQuery,
  listRefundsQuery,
  paymentParams,
  refundAmount,
  refundBody,
  refundList,
  refundPage,
  refundParams,
  refundResponse,
  reviewRefundBody,
  toAwaitingRefundPage,
  toRefund,
  toRefundFilters,
  toRefundList,
  toRefundPage,
} from './schema.ts'
import { withdrawRefund } from './withdraw-refund.ts'

type RefundRouteDeps = RefundDeps & ReviewRefundDeps & { cursorKey: KeyRing; lineage: LineageSource }

export function refundRoutes(app: App, deps: RefundRouteDeps): void {
  paymentEndpoints(app, deps)
  listEndpoints(app, deps)
  decisionEndpoints(app, deps)
}

function listEndpoints(app: App, deps: RefundRouteDeps): void {
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
  app.get(
    '/v1/refunds/awaiting-review',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags: ['Payments'],
        operationId: 'refunds.listAwaitingReview',
        description:
          'Each one names who requested it, who approved it first, the policy that applied, and whether you may approve it. Decide with POST /v1/refunds/{refund_id}/review.',
        summary: 'List the refunds that wait for approval',
        querystring: listAwaitingQuery,
        response: { 200: awaitingRefundPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toAwaitingRefundPage(
        await listAwaitingRefunds(deps, caller, {
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}

function decisionEndpoints(app: App, deps: RefundRouteDeps): void {
  const tags = ['Payments']
  app.post(
    '/v1/refunds/:refund_id/review',
    {
      config: { access: { permission: 'payouts:approve' }, control: 'two-approvals' },
      schema: {
        tags,
        operationId: 'refunds.review',
        description:
          'A member with `payouts:approve` approves first, then an org-admin, and the refund is sent. Nobody reviews twice or reviews their own refund. A refund that is rejected is `failed` with the code `REFUND_REJECTED`, and one whose requester may not refund any more with `REQUESTER_NOT_ALLOWED`.',
        summary: 'Approve or reject a refund that needs a second approver',
        params: refundParams,
        body: reviewRefundBody,
        response: { 200: refundResponse, ...errors(404, 409, 422) },
      },
    },
    async ({ caller, params, body }) => {
      const { decision, comments = null } = body
      const refund = await reviewRefund(deps, caller, { refundId: params.refund_id, decision, comments })
      return ok('The refund was reviewed.', toRefund(refund))
    },
  )
  app.post(
    '/v1/refunds/:refund_id/withdraw',
    {
      config: {
        access: { permission: 'refunds:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'refunds.withdraw',
        description:
          'Only whoever requested it can withdraw it, and only while it waits. Its amount is available again, and it is `failed` with the code `REFUND_WITHDRAWN`.',
        summary: 'Withdraw your refund while it waits for approval',
        params: refundParams,
        response: { 200: refundResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      const refund = await withdrawRefund(deps, caller, { refundId: params.refund_id })
      return ok('The refund was withdrawn.', toRefund(refund))
    },
  )
}

function paymentEndpoints(app: App, deps: RefundDeps): void {
  const tags = ['Payments']
  app.post(
    '/v1/payments/:payment_id/refund',
    {
      config: {
        access: { permission: 'refunds:write' },
        control: 'two-approvals',
      },
      schema: {
        tags,
        operationId: 'refunds.create',
        description:
          'Without `amount`, all that is left is refunded. The amount is held from your balance at once, the refund is sent in the background, and `payment.refunded` tells its end; 422 if the balance does not cover it. If your approval policies have `refund_from` or `refund_daily_from` and it reaches them, it waits (`awaiting_approval`).',
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
      const message = isWaitingRefund(refund) ? 'The refund waits for approval.' : 'Refund started.'
      return reply.status(201).send(ok(message, toRefund(refund)))
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
