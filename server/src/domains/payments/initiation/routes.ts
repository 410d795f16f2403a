import type { App } from '../../../http/app.ts'
import { beginOnce } from '../../../http/idempotency/begin-once.ts'
import type { CardPolicyDeps } from '../../people/organizations/reads.ts'
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
      config: {
        spec: '4.1',
        access: { permission: 'payments:write' },
        control: 'two-approvals',
        bindsKey: true,
        cardFields,
      },
      schema: {
        tags,
        operationId: 'payments.initiate',
        description:
          'Chooses a provider and sends the payment; `response.next_action` says what the payer has to do. A payment with `processing` is not failed and must not be sent again: wait for its event or poll it. Send an `Idempotency-Key`, so that a repeat after a broken connection is answered with the same payment. A payout needs a verified organisation, a covered balance and, from the amount of an approval policy on, two approvals.',
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
      config: {
        spec: '4.3',
        access: { permission: 'payments:write' },
        control: 'none: it passes on what the payer has entered',
      },
      schema: {
        tags,
        operationId: 'payments.act',
        description:
          '`submit_otp` passes the one-time password on to the provider and never stores it; after five wrong ones the attempt fails. `resend_otp` and `cancel` work as long as the provider allows them; otherwise the answer is 409.',
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
