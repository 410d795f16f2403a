import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import type { EscrowDeps } from '../record.ts'
import { approveMilestone } from './approve-milestone.ts'
import { createMilestone } from './create-milestone.ts'
import { getMilestone, listMilestones } from './reads.ts'
import * as schema from './schema.ts'
import { toMilestone, toMilestoneChange, toMilestoneList, toNewMilestone, toSplitUpdates } from './schema.ts'
import { submitContract } from './submit-contract.ts'
import { updateMilestone } from './update-milestone.ts'
import { updateParties } from './update-parties.ts'

const tags = ['Escrow']

export function milestoneRoutes(app: App, deps: EscrowDeps): void {
  milestoneEndpoints(app, deps)
  agreementEndpoints(app, deps)
}

function milestoneEndpoints(app: App, deps: EscrowDeps): void {
  app.post(
    '/v1/virtual-accounts/escrow/:escrow_id/milestones',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: money leaves an escrow only by a disbursement, which has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'milestones.create',
        description:
          '`sequence` decides which milestone is funded first. Splits may be added later; percentages over 100 are refused.',
        summary: 'Add a milestone to an escrow',
        params: schema.milestonesParams,
        body: schema.createMilestoneBody,
        response: { 201: schema.milestoneResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const created = await createMilestone(deps, caller, toNewMilestone(params.escrow_id, body))
      return reply.status(201).send(ok('Milestone added.', toMilestone(created)))
    },
  )
  app.get(
    '/v1/virtual-accounts/escrow/:escrow_id/milestones',
    {
      config: { spec: '4.8', access: { permission: 'escrow:read', feature: 'escrow' } },
      schema: {
        tags,
        operationId: 'milestones.list',
        description: 'The list is not paged.',
        summary: 'List the milestones of an escrow, in sequence',
        params: schema.milestonesParams,
        response: { 200: schema.milestoneList, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      toMilestoneList(await listMilestones(deps, caller, { escrowId: params.escrow_id })),
  )
  app.get(
    '/v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id',
    {
      config: { spec: '4.8', access: { permission: 'escrow:read', feature: 'escrow' } },
      schema: {
        tags,
        operationId: 'milestones.get',
        description: '`disbursements` shows who was paid, what is in progress and what failed.',
        summary: 'Get a milestone with its splits and disbursements',
        params: schema.milestoneParams,
        response: { 200: schema.milestoneResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('Milestone.', toMilestone(await getMilestone(deps, caller, toIds(params)))),
  )
  app.patch(
    '/v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: money leaves an escrow only by a disbursement, which has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'milestones.update',
        description: 'Only the fields that you send change. 409 as soon as the milestone is being disbursed.',
        summary: 'Update a milestone that has not been disbursed',
        params: schema.milestoneParams,
        body: schema.updateMilestoneBody,
        response: { 200: schema.milestoneResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const change = { ...toIds(params), ...toMilestoneChange(body) }
      return ok('Milestone changed.', toMilestone(await updateMilestone(deps, caller, change)))
    },
  )
}

function agreementEndpoints(app: App, deps: EscrowDeps): void {
  app.put(
    '/v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/parties',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: money leaves an escrow only by a disbursement, which has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'milestones.setParties',
        description:
          'Accepts `{parties: […]}`, one object or a bare array. All of it is applied or nothing; parties that are not named keep their splits.',
        summary: 'Update several party splits of a milestone atomically',
        params: schema.milestoneParams,
        body: schema.updatePartiesBody,
        response: { 200: schema.milestoneResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const input = { ...toIds(params), updates: toSplitUpdates(body) }
      return ok('Party splits updated.', toMilestone(await updateParties(deps, caller, input)))
    },
  )
  app.post(
    '/v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/contract',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: money leaves an escrow only by a disbursement, which has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'milestones.submitContract',
        description:
          'Stores a reference or address of the contract, not the document, and sets `contract_submitted_at`.',
        summary: 'Submit the contract of a milestone',
        params: schema.milestoneParams,
        body: schema.contractBody,
        response: { 200: schema.milestoneResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const contract = { ...toIds(params), reference: body.reference, url: body.url ?? null }
      return ok('Contract submitted.', toMilestone(await submitContract(deps, caller, contract)))
    },
  )
  app.post(
    '/v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/approve',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: money leaves an escrow only by a disbursement, which has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'milestones.approve',
        description: 'Needs a submitted contract. Nothing is paid until it is disbursed.',
        summary: 'Approve a milestone whose contract was submitted',
        params: schema.milestoneParams,
        response: { 200: schema.milestoneResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params }) =>
      ok('Milestone approved.', toMilestone(await approveMilestone(deps, caller, toIds(params)))),
  )
}

const toIds = (params: { escrow_id: string; milestone_id: string }) => ({
  escrowId: params.escrow_id,
  milestoneId: params.milestone_id,
})
