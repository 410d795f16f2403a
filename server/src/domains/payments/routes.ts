import type { App } from '../../http/app.ts'
import { errors } from '../../lib/wire.ts'
import { cancelPayment } from './cancel-payment.ts'
import { confirmPayment } from './confirm-payment.ts'
import { getPayment } from './get-payment.ts'
import { initiatePayment, type InitiationDeps } from './initiation/initiate-payment.ts'
import { draftInitiation, type DraftDeps } from './initiation/draft-payment.ts'
import {
  initiateBody,
  initiationErrors,
  initiationResponse,
  toInitiationResponse,
} from './initiation/schema.ts'
import { paymentRecord, toPaymentRecord } from './record-schema.ts'
import { reviewPayment } from './review-payment.ts'
import * as schema from './schema.ts'
import { submitAction } from './attempts/submit-action.ts'

export type PaymentRouteDeps = InitiationDeps & DraftDeps

export function paymentRoutes(app: App, deps: PaymentRouteDeps): void {
  initiationEndpoints(app, deps)
  recordEndpoints(app, deps)
  decisionEndpoints(app, deps)
}

function initiationEndpoints(app: App, deps: PaymentRouteDeps): void {
  const tags = ['Payment initiation']
  app.post(
    '/v1/payments-init/initiate',
    {
      config: { spec: '4.1', access: { permission: 'payments:write' } },
      schema: {
        tags,
        summary: 'Start a payin or a payout',
        body: initiateBody,
        response: { 200: initiationResponse, ...initiationErrors(422, 502) },
      },
    },
    async ({ caller, body }) => {
      const draft = await draftInitiation(deps, caller, body)
      return toInitiationResponse(await initiatePayment(deps, caller, draft))
    },
  )
  app.post(
    '/v1/payments-init/:payment_id/action',
    {
      config: { spec: '4.3', access: { permission: 'payments:write' } },
      schema: {
        tags,
        summary: 'Submit or resend a one-time password, or cancel the payment',
        params: schema.paymentParams,
        body: schema.actionBody,
        response: { 200: initiationResponse, ...initiationErrors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const { action: type, ...rest } = body
      const action =
        'otp' in rest
          ? { type: 'submit_otp' as const, otp: rest.otp }
          : { type: type as 'cancel' | 'resend_otp' } // the union has these three
      return toInitiationResponse(await submitAction(deps, caller, { paymentId: params.payment_id, action }))
    },
  )
}

function recordEndpoints(app: App, deps: PaymentRouteDeps): void {
  const tags = ['Payments']
  app.get(
    '/v1/payments/transaction/:transaction_id',
    {
      config: { spec: '4.14', access: { permission: 'payments:read' } },
      schema: {
        tags,
        summary: 'Get a payment by its transaction id, for polling',
        params: schema.transactionParams,
        response: { 200: paymentRecord, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const opened = await getPayment(deps, caller, { paymentId: params.transaction_id })
      return toPaymentRecord(opened, opened.details)
    },
  )
  app.get(
    '/v1/payments/:payment_id',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        summary: 'Get a payment by its payment id',
        params: schema.paymentParams,
        response: { 200: paymentRecord, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const opened = await getPayment(deps, caller, { paymentId: params.payment_id })
      return toPaymentRecord(opened, opened.details)
    },
  )
}

function decisionEndpoints(app: App, deps: PaymentRouteDeps): void {
  const tags = ['Payments']
  app.post(
    '/v1/payments/:payment_id/cancel',
    {
      config: { access: { permission: 'payments:write' } },
      schema: {
        tags,
        summary: 'Cancel a payment that is not sent yet, or that its provider can still cancel',
        params: schema.paymentParams,
        response: { 200: paymentRecord, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) => {
      await cancelPayment(deps, caller, { paymentId: params.payment_id })
      const opened = await getPayment(deps, caller, { paymentId: params.payment_id })
      return toPaymentRecord(opened, opened.details)
    },
  )
  app.post(
    '/v1/payments/:payment_id/confirm',
    {
      config: { access: { permission: 'payouts:approve' } },
      schema: {
        tags,
        summary: 'Confirm the outcome of a payment that is carried out manually',
        params: schema.paymentParams,
        body: schema.confirmBody,
        response: { 200: paymentRecord, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const { outcome, comments } = body
      await confirmPayment(deps, caller, {
        paymentId: params.payment_id,
        outcome,
        comments: comments ?? null,
      })
      const opened = await getPayment(deps, caller, { paymentId: params.payment_id })
      return toPaymentRecord(opened, opened.details)
    },
  )
  app.post(
    '/v1/payments/:payment_id/review',
    {
      config: { access: { permission: 'payouts:approve' } },
      schema: {
        tags,
        summary: 'Approve or reject a payout that needs a second approver',
        params: schema.paymentParams,
        body: schema.reviewBody,
        response: { 200: paymentRecord, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const { decision, comments } = body
      await reviewPayment(deps, caller, {
        paymentId: params.payment_id,
        decision,
        comments: comments ?? null,
      })
      const opened = await getPayment(deps, caller, { paymentId: params.payment_id })
      return toPaymentRecord(opened, opened.details)
    },
  )
}
