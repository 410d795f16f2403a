import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/wire.ts'
import { changeRequestResponse, toHeld } from '../../change-requests/schema.ts'
import { getPayment } from '../get-payment.ts'
import { inquirePayment, type InquiryDeps } from '../inquire-payment.ts'
import { paymentRecord, toPaymentRecord } from '../schema.ts'
import type { ResolutionDeps } from './record.ts'
import { requestRefundResolution, requestResolution } from './request-resolution.ts'
import { inquireBody, paymentParams, refundParams, resolveBody, resolveRefundBody } from './schema.ts'

export function resolutionRoutes(app: App, deps: ResolutionDeps & InquiryDeps): void {
  const tags = ['Payments']
  app.post(
    '/v1/payments/:payment_id/inquire',
    {
      config: { access: { permission: 'payments:write' } },
      schema: {
        tags,
        operationId: 'payments.inquire',
        summary: 'Ask the provider now what became of a payment',
        params: paymentParams,
        body: inquireBody,
        response: { 200: paymentRecord, ...errors(404) },
      },
    },
    async ({ caller, params, body }) => {
      const { payment } = await inquirePayment(deps, caller, {
        paymentId: params.payment_id,
        orgId: body?.org_id ?? undefined,
      })
      const opened = await getPayment(deps, { ...caller, orgId: payment.orgId }, payment)
      return toPaymentRecord(opened, opened.details)
    },
  )
  app.post(
    '/v1/payments/:payment_id/resolve',
    {
      config: { access: { permission: 'exceptions:write' } },
      schema: {
        tags,
        operationId: 'payments.resolve',
        summary: 'Propose the outcome of a payment in doubt; a second person approves it',
        params: paymentParams,
        body: resolveBody,
        response: { 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const held = await requestResolution(deps, caller, {
        orgId: body.org_id ?? undefined,
        paymentId: params.payment_id,
        outcome: body.outcome,
        evidence: body.evidence,
        providerReference: body.provider_reference ?? null,
      })
      return reply.status(202).send(toHeld(held))
    },
  )
  app.post(
    '/v1/payments/:payment_id/refunds/:refund_id/resolve',
    {
      config: { access: { permission: 'exceptions:write' } },
      schema: {
        tags,
        operationId: 'refunds.resolve',
        summary: 'Propose the outcome of a refund in doubt; a second person approves it',
        params: refundParams,
        body: resolveRefundBody,
        response: { 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const held = await requestRefundResolution(deps, caller, {
        orgId: body.org_id ?? undefined,
        paymentId: params.payment_id,
        refundId: params.refund_id,
        outcome: body.outcome,
        evidence: body.evidence,
        providerReference: body.provider_reference ?? null,
      })
      return reply.status(202).send(toHeld(held))
    },
  )
}
