import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { getPayment } from '../reads/get-payment.ts'
import { inquirePayment, type InquiryDeps } from '../supervision/inquire-payment.ts'
import { paymentRecord, toPaymentRecord } from '../schema.ts'
import type { ResolutionDeps } from './record.ts'
import { requestRefundResolution, requestResolution } from './request-resolution.ts'
import { inquireBody, paymentParams, refundParams, resolveBody, resolveRefundBody } from './schema.ts'

export function resolutionRoutes(app: App, deps: ResolutionDeps & InquiryDeps): void {
  const tags = ['Payments']
  app.post(
    '/v1/payments/:payment_id/inquire',
    {
      config: { access: { permission: 'payments:write' }, control: 'none: it only asks the provider' },
      schema: {
        tags,
        operationId: 'payments.inquire',
        description:
          'Asks the provider once and answers with the payment as it is afterwards; it sends nothing. At most four times a minute per payment (429).',
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
      return toPaymentRecord(caller, opened)
    },
  )
  app.post(
    '/v1/payments/:payment_id/resolve',
    {
      config: { access: { permission: 'exceptions:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'payments.resolve',
        description:
          'Only for a payment whose outcome is unknown. Answers 202 with a change request; nothing is booked until a second person approves it, and the operator where the money is pooled.',
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
      config: { access: { permission: 'exceptions:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'refunds.resolve',
        description:
          'Only for a refund whose outcome is unknown. Answers 202 with a change request; nothing is booked until a second person approves it.',
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
