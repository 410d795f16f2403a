import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { addParty } from './add-party.ts'
import { cancelEscrow } from './cancel-escrow.ts'
import { createEscrow } from './create-escrow.ts'
import { fundEscrow } from './fund-escrow.ts'
import { getEscrow, listEscrows, listParties } from './reads.ts'
import * as schema from './schema.ts'
import { toEscrow, toEscrowPage, toNewParty, toParty, toPartyList } from './schema.ts'

type RouteDeps = Parameters<typeof fundEscrow>[0] & Parameters<typeof listEscrows>[0]
const tags = ['Escrow']

export function escrowRoutes(app: App, deps: RouteDeps): void {
  projectEndpoints(app, deps)
  partyEndpoints(app, deps)
}

function projectEndpoints(app: App, deps: RouteDeps): void {
  app.post(
    '/v1/virtual-accounts/escrow',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: money leaves an escrow only by a disbursement, which has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'escrows.create',
        description:
          'Opens a virtual account of its own for the escrow, which only funding, disbursement and cancellation change.',
        summary: 'Create an escrow',
        body: schema.createEscrowBody,
        response: { 201: schema.escrowResponse, ...errors() },
      },
    },
    async ({ caller, body }, reply) => {
      const created = await createEscrow(deps, caller, { ...body, description: body.description ?? null })
      return reply.status(201).send(ok('Escrow created.', toEscrow(created)))
    },
  )
  app.get(
    '/v1/virtual-accounts/escrow',
    {
      config: { spec: '4.8', access: { permission: 'escrow:read', feature: 'escrow' } },
      schema: {
        tags,
        operationId: 'escrows.list',
        description: 'Newest first, with totals.',
        summary: 'List the escrows of the organisation',
        querystring: schema.listEscrowsQuery,
        response: { 200: schema.escrowPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toEscrowPage(
        await listEscrows(deps, caller, {
          status: query.status,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/virtual-accounts/escrow/:escrow_id',
    {
      config: { spec: '4.8', access: { permission: 'escrow:read', feature: 'escrow' } },
      schema: {
        tags,
        operationId: 'escrows.get',
        description: '`balance` is what was funded, less what was disbursed and returned.',
        summary: 'Get an escrow with its totals',
        params: schema.escrowParams,
        response: { 200: schema.escrowResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('Escrow.', toEscrow(await getEscrow(deps, caller, { escrowId: params.escrow_id }))),
  )
  app.post(
    '/v1/virtual-accounts/escrow/:escrow_id/fund',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: the money moves from one balance of the organisation to another',
      },
      schema: {
        tags,
        operationId: 'escrows.fund',
        description:
          'A book transfer that is done at once. It covers milestones in their `sequence` and never exceeds what they expect.',
        summary: 'Fund an escrow from a virtual account; the money covers the milestones in sequence',
        params: schema.escrowParams,
        body: schema.fundBody,
        response: { 200: schema.escrowResponse, ...errors(404, 409, 422) },
      },
    },
    async ({ caller, params, body }) => {
      const funding = { accountId: body.account_id, amount: body.amount, reference: body.reference ?? null }
      const funded = await fundEscrow(deps, caller, { escrowId: params.escrow_id, ...funding })
      return ok('The escrow is funded.', toEscrow(funded))
    },
  )
  app.post(
    '/v1/virtual-accounts/escrow/:escrow_id/cancel',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: the money moves from one balance of the organisation to another',
      },
      schema: {
        tags,
        operationId: 'escrows.cancel',
        description:
          'What is left goes back to the accounts that funded it, in one transaction. 409 while a milestone is being disbursed; calling it again returns money of payouts that came back since.',
        summary: 'Cancel an escrow and return the remaining money to the accounts that funded it',
        params: schema.escrowParams,
        body: schema.cancelBody,
        response: { 200: schema.escrowResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const input = { escrowId: params.escrow_id, reason: body?.reason ?? null }
      return ok('The escrow is canceled.', toEscrow(await cancelEscrow(deps, caller, input)))
    },
  )
}

function partyEndpoints(app: App, deps: RouteDeps): void {
  app.post(
    '/v1/virtual-accounts/escrow/:escrow_id/parties',
    {
      config: {
        spec: '4.8',
        access: { permission: 'escrow:write', feature: 'escrow' },
        control: 'none: money leaves an escrow only by a disbursement, which has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'escrowParties.create',
        description: 'Name either an `account_id` of your organisation or a `beneficiary_id`.',
        summary: 'Add a party that is paid into a virtual account or out to a beneficiary',
        params: schema.escrowParams,
        body: schema.addPartyBody,
        response: { 201: schema.partyResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const added = await addParty(deps, caller, toNewParty(params.escrow_id, body))
      return reply.status(201).send(ok('Party added.', toParty(added)))
    },
  )
  app.get(
    '/v1/virtual-accounts/escrow/:escrow_id/parties',
    {
      config: { spec: '4.8', access: { permission: 'escrow:read', feature: 'escrow' } },
      schema: {
        tags,
        operationId: 'escrowParties.list',
        description: 'The list is not paged.',
        summary: 'List the parties of an escrow',
        params: schema.escrowParams,
        response: { 200: schema.partyList, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      toPartyList(await listParties(deps, caller, { escrowId: params.escrow_id })),
  )
}
