import type { App } from '../../../../http/app.ts'
import type { CardPolicyDeps } from '../../../people/organizations/reads.ts'
import { checkCardFields } from '../../initiation/check-card-fields.ts'
import { draftInitiation, type DraftDeps } from '../../initiation/draft-payment.ts'
import type { InitiationDeps } from '../../initiation/initiate-payment.ts'
import { initiateBody, initiationErrors } from '../../initiation/schema.ts'
import { previewPayment } from './preview-payment.ts'
import { previewResponse, toPreview } from './schema.ts'

export function previewRoutes(app: App, deps: InitiationDeps & DraftDeps & CardPolicyDeps): void {
  app.post(
    '/v1/payments-init/preview',
    {
      config: {
        access: { permission: 'payments:write' },
        control: 'none: it only computes',
        cardFields: ['card_details.card_number'],
      },
      schema: {
        operationId: 'payments.preview',
        tags: ['Payment initiation'],
        summary: 'Preview the route, the fees and the approval of a payment',
        description:
          'Takes the body of an initiation and answers what it would do now; nothing is sent, stored or held. A body that is not valid is refused as by the initiation. What depends on the state of your organisation, such as a missing route or balance, is listed in problems.',
        body: initiateBody,
        response: { 200: previewResponse, ...initiationErrors(422) },
      },
    },
    async ({ caller, body }) => {
      await checkCardFields(deps, caller.orgId, body)
      return toPreview(await previewPayment(deps, caller, await draftInitiation(deps, caller, body)))
    },
  )
}
