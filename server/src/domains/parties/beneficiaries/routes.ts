import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { createBeneficiary, createCheckedBeneficiary } from './create-beneficiary.ts'
import { deleteBeneficiary } from './delete-beneficiary.ts'
import { getBeneficiary, listBeneficiaries } from './reads.ts'
import * as schema from './schema.ts'
import {
  toBeneficiary,
  toBeneficiaryChange,
  toBeneficiaryPage,
  toNewBeneficiary,
  toVisible,
} from './schema.ts'
import { updateBeneficiary } from './update-beneficiary.ts'

type RouteDeps = Parameters<typeof updateBeneficiary>[0] & Parameters<typeof deleteBeneficiary>[0]

export function beneficiaryRoutes(app: App, deps: RouteDeps): void {
  const tags = ['Beneficiaries']
  app.get(
    '/v1/beneficiaries',
    {
      config: { spec: '4.11', access: { permission: 'beneficiaries:read' } },
      schema: {
        tags,
        operationId: 'beneficiaries.list',
        description:
          'Account numbers show their last digits only; get one beneficiary to see more. Deleted beneficiaries are not listed.',
        summary: 'List the beneficiaries, with masked account numbers',
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
      config: {
        spec: '4.18',
        access: { permission: 'beneficiaries:write' },
        control: 'none: a new beneficiary receives nothing before a payout, which has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'beneficiaries.create',
        description:
          'A payout names the beneficiary by `beneficiary_id`, and its account is then taken from here. Send the details that fit `account_type`: `bank_details` or `momo_details`. Account numbers are encrypted at rest.',
        summary: 'Create a beneficiary, the recipient of payouts',
        querystring: schema.nameCheckQuery,
        body: schema.createBeneficiaryBody,
        response: { 201: schema.beneficiaryResponse, ...errors() },
      },
    },
    async ({ caller, body, query }, reply) => {
      const create = query.verify_name ? createCheckedBeneficiary : createBeneficiary
      const created = await create(deps, caller, toNewBeneficiary(body, caller.userId))
      return reply.status(201).send(ok('Beneficiary created.', toBeneficiary(created)))
    },
  )
  app.get(
    '/v1/beneficiaries/:beneficiary_id',
    {
      config: { spec: '4.18', access: { permission: 'beneficiaries:read' } },
      schema: {
        tags,
        operationId: 'beneficiaries.get',
        description: 'Account numbers are shown in full only to callers with `account-numbers:reveal`.',
        summary: 'Get a beneficiary',
        params: schema.beneficiaryParams,
        response: { 200: schema.beneficiaryResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok(
        'Beneficiary.',
        toVisible(caller, await getBeneficiary(deps, caller.orgId, { beneficiaryId: params.beneficiary_id })),
      ),
  )
  app.patch(
    '/v1/beneficiaries/:beneficiary_id',
    {
      config: { spec: '4.18', access: { permission: 'beneficiaries:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'beneficiaries.update',
        description:
          'Only the fields that you send change. In an organisation with an approval policy, a new account for a beneficiary who has been paid before answers 202 with a change request, and nothing changes until another administrator approves it.',
        summary: 'Update a beneficiary; payments in progress keep the account they were started with',
        params: schema.beneficiaryParams,
        querystring: schema.nameCheckQuery,
        body: schema.updateBeneficiaryBody,
        response: { 200: schema.beneficiaryResponse, 202: changeRequestResponse, ...errors(404) },
      },
    },
    async ({ caller, params, query, body }, reply) => {
      const updated = await updateBeneficiary(deps, caller, {
        beneficiaryId: params.beneficiary_id,
        change: toBeneficiaryChange(body),
        verifyName: query.verify_name,
      })
      if (updated.held) return reply.status(202).send(toHeld(updated.held))
      return reply.send(ok('Beneficiary updated.', toVisible(caller, updated.done)))
    },
  )
  app.delete(
    '/v1/beneficiaries/:beneficiary_id',
    {
      config: {
        spec: '4.18',
        access: { permission: 'beneficiaries:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'beneficiaries.delete',
        description:
          'Refused with 409 as long as a payment to the beneficiary is open. Payments of the past keep their details.',
        summary: 'Delete a beneficiary that no open payment uses',
        params: schema.beneficiaryParams,
        response: { 204: schema.nothing, ...errors(404, 409) },
      },
    },
    async ({ caller, params }, reply) => {
      await deleteBeneficiary(deps, caller, { beneficiaryId: params.beneficiary_id })
      return reply.status(204).send(null)
    },
  )
}
