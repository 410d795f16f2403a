import type { App } from '../../../http/app.ts'
import { beginOnce } from '../../../http/idempotency/begin-once.ts'
import type { CardPolicyDeps } from '../../organizations/check-cards.ts'
import { submitAction } from '../attempts/submit-action.ts'
import { paymentParams } from '../schema.ts'
import { checkCardFields } from './check-card-fields.ts'
import { draftInitiation, type DraftDeps } from './draft-payment.ts'
import { initiatePayment, type InitiationDeps } from './initiate-payment.ts'
import { hasKnownOutcome, loadBegunPayment } from './load-begun-payment.ts'
import {
  actionBody,
  initiateBody,
  initiationErrors,
  initiationResponse,
  toInitiationResponse,
  toPaymentAction,
} from './schema.ts'

/** The only field of the API that may hold a card number. */
const cardFields = ['card_details.card_number']

export function initiationRoutes(app: App, deps: InitiationDeps & DraftDeps & CardPolicyDeps): void {
  const tags = ['Payment initiation']
  app.post(
    '/v1/payments-init/initiate',
    {
      config: { spec: '4.1', access: { permission: 'payments:write' }, bindsKey: true, cardFields },
      schema: {
        tags,
        operationId: 'payments.initiate',
        summary: 'Start a payin or a payout',
        body: initiateBody,
        response: { 200: initiationResponse, ...initiationErrors(422, 502) },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const payment = await beginOnce(request, reply, {
        async begin(claim) {
          await checkCardFields(deps, caller.orgId, body)
          const draft = await draftInitiation(deps, caller, body)
          return initiatePayment(deps, caller, { ...draft, claim })
        },
        load: (paymentId) => loadBegunPayment(deps, caller.orgId, paymentId),
        isReplayable: hasKnownOutcome,
      })
      return toInitiationResponse(payment)
    },
  )
  app.post(
    '/v1/payments-init/:payment_id/action',
    {
      config: { spec: '4.3', access: { permission: 'payments:write' } },
      schema: {
        tags,
        operationId: 'payments.act',
        summary: 'Submit or resend a one-time password, or cancel the payment',
        params: paymentParams,
        body: actionBody,
        response: { 200: initiationResponse, ...initiationErrors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const action = toPaymentAction(body)
      return toInitiationResponse(await submitAction(deps, caller, { paymentId: params.payment_id, action }))
    },
  )
}
