import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import type { DisputeDeps } from '../record.ts'
import { disputeParams, disputeResponse, toDispute } from '../schema.ts'
import { addEvidence } from './add-evidence.ts'
import { evidenceBody, evidenceBodyBytes, toNewEvidence } from './schema.ts'

export function evidenceRoutes(app: App, deps: DisputeDeps): void {
  app.post(
    '/v1/disputes/:dispute_id/evidence',
    {
      bodyLimit: evidenceBodyBytes,
      config: {
        access: { permission: 'disputes:write' },
        control: 'none: it defends money that the payer demands back',
      },
      schema: {
        tags: ['Disputes'],
        operationId: 'disputes.addEvidence',
        description:
          'Files are PDF, JPEG or PNG in base64. Nothing leaves until you submit, and evidence that the provider has no field for stays here.',
        summary: 'Add texts and files as evidence; they are sent when they are submitted',
        params: disputeParams,
        body: evidenceBody,
        response: { 201: disputeResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const view = await addEvidence(deps, caller, toNewEvidence(params.dispute_id, body))
      return reply.status(201).send(ok('Evidence added.', toDispute(view)))
    },
  )
}
