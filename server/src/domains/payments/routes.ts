import type { App } from '../../http/app.ts'
import { errors } from '../../lib/requests/wire.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import { confirmPayment } from './actions/confirm-payment.ts'
import { getPayment } from './reads/get-payment.ts'
import { reviewPayment, type ReviewDeps } from './reviews/review-payment.ts'
import * as schema from './schema.ts'

export function paymentRoutes(app: App, deps: ReviewDeps): void {
  recordEndpoints(app, deps)
  decisionEndpoints(app, deps)
}

function recordEndpoints(app: App, deps: ReviewDeps): void {
  const tags = ['Payments']
  app.get(
    '/v1/payments/transaction/:transaction_id',
    {
      config: { spec: '4.14', access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'payments.getByTransaction',
        description:
          '`transaction_id` equals `payment_id`. Poll it every few seconds at most; events tell you sooner.',
        summary: 'Get a payment by its transaction id, for polling',
        params: schema.transactionParams,
        response: { 200: schema.paymentRecord, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const opened = await getPayment(deps, caller, { paymentId: params.transaction_id })
      return schema.toPaymentRecord(caller, opened)
    },
  )
  app.get(
    '/v1/payments/:payment_id',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'payments.get',
        description:
          'The same record as by transaction id. `processing` means sent or in doubt: it is not failed, so do not send it again.',
        summary: 'Get a payment by its payment id',
        params: schema.paymentParams,
        response: { 200: schema.paymentRecord, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const opened = await getPayment(deps, caller, { paymentId: params.payment_id })
      return schema.toPaymentRecord(caller, opened)
    },
  )
}

function decisionEndpoints(app: App, deps: ReviewDeps): void {
  const tags = ['Payments']
  app.post(
    '/v1/payments/:payment_id/cancel',
    {
      config: {
        access: { permission: 'payments:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'payments.cancel',
        description:
          'A payment that was not sent is canceled at once. One that was sent is canceled only if its provider can still do so; otherwise the answer is 409.',
        summary: 'Cancel a payment that is not sent yet, or that its provider can still cancel',
        params: schema.paymentParams,
        response: { 200: schema.paymentRecord, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      await cancelPayment(deps, caller, { paymentId: params.payment_id })
      const opened = await getPayment(deps, caller, { paymentId: params.payment_id })
      return schema.toPaymentRecord(caller, opened)
    },
  )
  app.post(
    '/v1/payments/:payment_id/confirm',
    {
      config: { access: { permission: 'payouts:approve' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'payments.confirm',
        description:
          'For payments of the `manual` provider, which people carry out at a bank. Whoever started the payment cannot confirm it. At an account of the installation the operator confirms it, or two operators resolve it together where there are two.',
        summary: 'Confirm the outcome of a payment that is carried out manually',
        params: schema.paymentParams,
        body: schema.confirmBody,
        response: { 200: schema.paymentRecord, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const { outcome, comments } = body
      const { payment } = await confirmPayment(deps, caller, {
        paymentId: params.payment_id,
        outcome,
        comments: comments ?? null,
      })
      const opened = await getPayment(deps, { ...caller, orgId: payment.orgId }, payment)
      return schema.toPaymentRecord(caller, opened)
    },
  )
  app.post(
    '/v1/payments/:payment_id/review',
    {
      config: { access: { permission: 'payouts:approve' }, control: 'two-approvals' },
      schema: {
        tags,
        operationId: 'payments.review',
        description:
          'A member with `payouts:approve` approves first (`reviewed`), then an org-admin (`confirmed`), and the payment is sent. Nobody reviews twice or reviews their own payment; 409 with a new rate if the locked one has expired.',
        summary: 'Approve or reject a payout that needs a second approver',
        params: schema.paymentParams,
        body: schema.reviewBody,
        response: { 200: schema.paymentRecord, ...errors(404, 409, 422) },
      },
    },
    async ({ caller, params, body }) => {
      const { decision, comments, org_rate_id } = body
      await reviewPayment(deps, caller, {
        paymentId: params.payment_id,
        decision,
        comments: comments ?? null,
        orgRateId: org_rate_id ?? undefined,
      })
      const opened = await getPayment(deps, caller, { paymentId: params.payment_id })
      return schema.toPaymentRecord(caller, opened)
    },
  )
}
