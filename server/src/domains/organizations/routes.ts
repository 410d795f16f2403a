import type { Database } from '../../db/database.ts'
import type { App } from '../../http/app.ts'
import { errors, ok } from '../../lib/wire.ts'
import { createOrganization } from './create-organization.ts'
import { getOrganization } from './get-organization.ts'
import { listOrganizations } from './list-organizations.ts'
import { addMember } from './members/add-member.ts'
import { checkPermission } from './members/check-permission.ts'
import { getMember } from './members/get-member.ts'
import { grantPermissions } from './members/grant-permissions.ts'
import { listMembers } from './members/list-members.ts'
import { removeMember } from './members/remove-member.ts'
import { replacePermissions } from './members/replace-permissions.ts'
import { revokePermissions } from './members/revoke-permissions.ts'
import { updateMember } from './members/update-member.ts'
import * as schema from './schema.ts'
import {
  toMemberPage,
  toMemberView,
  toNewMember,
  toOrganization,
  toOrganizationChange,
  toOrganizationPage,
} from './schema.ts'
import { updateOrganization } from './update-organization.ts'

export interface OrganizationDeps {
  db: Database
  cursorKey: Buffer
}

export function organizationRoutes(app: App, deps: OrganizationDeps): void {
  organizationEndpoints(app, deps)
  memberEndpoints(app, deps)
  permissionEndpoints(app, deps)
}

function organizationEndpoints(app: App, deps: OrganizationDeps): void {
  const tags = ['Organisations']
  app.get(
    '/v1/organizations',
    {
      config: { spec: '4.18' },
      schema: {
        tags,
        summary: 'Organisations that you can see',
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
      schema: {
        tags,
        summary: 'Create an organisation with its first administrator (operator)',
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
      config: { spec: '4.18' },
      schema: {
        tags,
        summary: 'One organisation',
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
      schema: {
        tags,
        summary: 'Change name, country or branding; only the operator can change features',
        params: schema.orgParams,
        body: schema.updateOrganizationBody,
        response: { 200: schema.organizationResponse, ...errors(404) },
      },
    },
    async ({ caller, params, body }) => {
      const change = { orgId: params.org_id, ...toOrganizationChange(body) }
      return ok('Organisation updated.', toOrganization(await updateOrganization(deps, caller, change)))
    },
  )
}

function memberEndpoints(app: App, deps: OrganizationDeps): void {
  const tags = ['Members']
  app.get(
    '/v1/organizations/:org_id/members',
    {
      schema: {
        tags,
        summary: 'Members of the organisation',
        params: schema.orgParams,
        querystring: schema.pageQuery,
        response: { 200: schema.memberPage, ...errors() },
      },
    },
    async ({ caller, params, query }) =>
      toMemberPage(
        await listMembers(deps, caller, {
          orgId: params.org_id,
          page: { limit: query.limit, cursor: query.lastEvaluatedKey },
        }),
      ),
  )
  app.post(
    '/v1/organizations/:org_id/members',
    {
      schema: {
        tags,
        summary: 'Add a member; a welcome notice goes out by mail',
        params: schema.orgParams,
        body: schema.addMemberBody,
        response: { 201: schema.memberResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const member = await addMember(deps, caller, {
        orgId: params.org_id,
        ...toNewMember(body),
        role: body.role,
      })
      return reply.status(201).send(ok('Member added.', toMemberView(member)))
    },
  )
  app.get(
    '/v1/organizations/:org_id/members/:user_id',
    {
      schema: {
        tags,
        summary: 'One member',
        params: schema.memberParams,
        response: { 200: schema.memberResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok(
        'Member.',
        toMemberView(await getMember(deps, caller, { orgId: params.org_id, userId: params.user_id })),
      ),
  )
  app.patch(
    '/v1/organizations/:org_id/members/:user_id',
    {
      schema: {
        tags,
        summary: 'Change a member’s name, country or role',
        params: schema.memberParams,
        body: schema.updateMemberBody,
        response: { 200: schema.memberResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const member = await updateMember(deps, caller, {
        orgId: params.org_id,
        userId: params.user_id,
        firstName: body.first_name,
        lastName: body.last_name,
        country: body.country,
        role: body.role,
      })
      return ok('Member updated.', toMemberView(member))
    },
  )
  app.delete(
    '/v1/organizations/:org_id/members/:user_id',
    {
      schema: {
        tags,
        summary: 'Remove a member and their API keys',
        params: schema.memberParams,
        response: { 204: schema.nothing, ...errors(404, 409) },
      },
    },
    async ({ caller, params }, reply) => {
      await removeMember(deps, caller, { orgId: params.org_id, userId: params.user_id })
      return reply.status(204).send(null)
    },
  )
}

function permissionEndpoints(app: App, deps: OrganizationDeps): void {
  const tags = ['Permissions']
  const changes = [
    ['POST', 'Grant permissions on top of the role', grantPermissions, schema.permissionsBody],
    ['PUT', 'Set exactly these permissions', replacePermissions, schema.replacePermissionsBody],
    ['DELETE', 'Revoke permissions, also those of the role', revokePermissions, schema.permissionsBody],
  ] as const
  for (const [method, summary, change, body] of changes)
    app.route({
      method,
      url: '/v1/organizations/:org_id/members/:user_id/permissions',
      config: { spec: '4.18' },
      schema: {
        tags,
        summary,
        params: schema.memberParams,
        body,
        response: { 200: schema.memberResponse, ...errors(404, 409) },
      },
      handler: async (request) => {
        const { org_id: orgId, user_id: userId } = request.params
        const member = await change(deps, request.caller, {
          orgId,
          userId,
          permissions: request.body.permissions,
        })
        return ok('Permissions updated.', toMemberView(member))
      },
    })
  app.get(
    '/v1/organizations/:org_id/members/:user_id/permissions/check',
    {
      config: { spec: '4.18' },
      schema: {
        tags,
        summary: 'Does the member hold a permission?',
        params: schema.memberParams,
        querystring: schema.checkPermissionQuery,
        response: { 200: schema.permissionCheckResponse, ...errors(404) },
      },
    },
    async ({ caller, params, query }) => {
      const { permission } = query
      const allowed = await checkPermission(deps, caller, {
        orgId: params.org_id,
        userId: params.user_id,
        permission,
      })
      return ok('Permission checked.', { user_id: params.user_id, permission, allowed })
    },
  )
}
