import type { App } from '../../../http/app.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../change-requests/schema.ts'
import { createOrganization } from './create-organization.ts'
import { getOrganization, listOrganizations } from './reads.ts'
import * as schema from './schema.ts'
import { toNewMember, toOrganization, toOrganizationChange, toOrganizationPage } from './schema.ts'
import { updateOrganization, type UpdateOrganizationDeps } from './update-organization.ts'

interface OrganizationDeps extends UpdateOrganizationDeps {
  cursorKey: KeyRing
}

export function organizationRoutes(app: App, deps: OrganizationDeps): void {
  const tags = ['Organisations']
  app.get(
    '/v1/organizations',
    {
      config: { spec: '4.18', access: { permission: 'organizations:read' } },
      schema: {
        tags,
        operationId: 'organizations.list',
        description:
          'Members see their own organisation and the operator sees all. The cursor is called `lastEvaluatedKey` here.',
        summary: 'List the organisations that you have access to',
        querystring: schema.pageQuery,
        response: { 200: schema.organizationPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toOrganizationPage(
        await listOrganizations(deps, caller, {
          page: { limit: query.limit, cursor: query.lastEvaluatedKey },
        }),
      ),
  )
  app.post(
    '/v1/organizations',
    {
      config: {
        access: { permission: 'platform:write' },
        control: 'none: a new organisation has no money, no accounts and no verification',
      },
      schema: {
        tags,
        operationId: 'organizations.create',
        description:
          'Only the operator can create one. The first administrator is added at once, with the subject of the identity provider as `user_id`.',
        summary: 'Create an organisation with its first administrator, as the operator',
        body: schema.createOrganizationBody,
        response: { 201: schema.organizationResponse, ...errors(409) },
      },
    },
    async ({ caller, body }, reply) => {
      const organization = await createOrganization(deps, caller, { ...body, admin: toNewMember(body.admin) })
      return reply.status(201).send(ok('Organisation created.', toOrganization(organization)))
    },
  )
  app.get(
    '/v1/organizations/:org_id',
    {
      config: { spec: '4.18', access: { permission: 'organizations:read' } },
      schema: {
        tags,
        operationId: 'organizations.get',
        description: 'Includes `kyb_status`, which decides whether payouts are open.',
        summary: 'Get an organisation',
        params: schema.orgParams,
        response: { 200: schema.organizationResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok('Organisation.', toOrganization(await getOrganization(deps, caller, { orgId: params.org_id }))),
  )
  app.patch(
    '/v1/organizations/:org_id',
    {
      config: { access: { permission: 'organizations:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'organizations.update',
        description:
          'Only the fields that you send change. `features` can be changed by the operator only. Allowing card numbers again after `cards: hosted_only` answers 202 if a second person has to approve it.',
        summary: 'Update the name, country, branding or card policy; only the operator changes features',
        params: schema.orgParams,
        body: schema.updateOrganizationBody,
        response: { 200: schema.organizationResponse, 202: changeRequestResponse, ...errors(404) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const change = { orgId: params.org_id, ...toOrganizationChange(body) }
      const updated = await updateOrganization(deps, caller, change)
      return updated.held
        ? reply.status(202).send(toHeld(updated.held))
        : reply.send(ok('Organisation updated.', toOrganization(updated.done)))
    },
  )
}
