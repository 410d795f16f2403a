import type { App } from '../../http/app.ts'
import { errors, ok } from '../../lib/wire.ts'
import { createBeneficiary, type BeneficiaryDeps } from './create-beneficiary.ts'
import { getBeneficiary } from './get-beneficiary.ts'
import { listBeneficiaries } from './list-beneficiaries.ts'
import * as schema from './schema.ts'
import { toBeneficiary, toBeneficiaryPage, toNewBeneficiary } from './schema.ts'

export function beneficiaryRoutes(app: App, deps: BeneficiaryDeps): void {
  const tags = ['Beneficiaries']
  app.get(
    '/v1/beneficiaries',
    {
      config: { spec: '4.11' },
      schema: {
        tags,
        summary: 'Beneficiaries, with account numbers masked',
        querystring: schema.listBeneficiariesQuery,
        response: { 200: schema.beneficiaryPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toBeneficiaryPage(
        await listBeneficiaries(deps, caller, {
          userId: query.user_id,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.post(
    '/v1/beneficiaries',
    {
      config: { spec: '4.18' },
      schema: {
        tags,
        summary: 'Register a recipient of payouts',
        body: schema.createBeneficiaryBody,
        response: { 201: schema.beneficiaryResponse, ...errors() },
      },
    },
    async ({ caller, body }, reply) => {
      const created = await createBeneficiary(deps, caller, toNewBeneficiary(body, caller.userId))
      return reply.status(201).send(ok('Beneficiary created.', toBeneficiary(created)))
    },
  )
  app.get(
    '/v1/beneficiaries/:beneficiary_id',
    {
      config: { spec: '4.18' },
      schema: {
        tags,
        summary: 'One beneficiary',
        params: schema.beneficiaryParams,
        response: { 200: schema.beneficiaryResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok(
        'Beneficiary.',
        toBeneficiary(await getBeneficiary(deps, caller.orgId, { beneficiaryId: params.beneficiary_id })),
      ),
  )
}
