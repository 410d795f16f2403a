import type { App } from '../../../http/app.ts'
import { beginOnce } from '../../../http/idempotency/begin-once.ts'
import { initiationErrors } from '../../payments/initiation/schema.ts'
import { draftRamp, type RampDraftDeps } from './draft-ramp.ts'
import { initiateRamp, type InitiateRampDeps } from './initiate-ramp.ts'
import { hasKnownLeg, loadBegunRamp } from './load-begun-ramp.ts'
import { rampBody, rampResponse, toRampResponse } from './schema.ts'

export function rampRoutes(app: App, deps: InitiateRampDeps & RampDraftDeps): void {
  app.post(
    '/v1/payments-init/ramp',
    {
      config: {
        spec: '4.2',
        access: { permission: 'payments:write' },
        control: 'two-approvals',
        bindsKey: true,
      },
      schema: {
        tags: ['Payment initiation'],
        operationId: 'ramps.initiate',
        description:
          'A body with `wallet_address` is an on-ramp, one without it an off-ramp, unless `direction` says so. `client_rate` may differ from the live rate by half a percent; the lower one is applied. The answer says where to pay, and the delivery follows in the background.',
        summary: 'Start an on-ramp (fiat to crypto) or an off-ramp (crypto to fiat)',
        body: rampBody,
        response: { 200: rampResponse, ...initiationErrors(404, 422, 502) },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const ramp = await beginOnce(request, reply, {
        async begin(claim) {
          const draft = await draftRamp(deps, caller, body)
          return initiateRamp(deps, caller, { ...draft, claim })
        },
        load: (paymentId) => loadBegunRamp(deps, caller.orgId, paymentId),
        isReplayable: hasKnownLeg,
      })
      return toRampResponse(ramp)
    },
  )
}
