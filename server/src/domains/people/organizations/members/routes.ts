import type { App } from '../../../../http/app.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import * as schema from '../schema.ts'
import { toMemberPage, toMemberView, toNewMember } from '../schema.ts'
import { changeRequestResponse, toHeld } from '../../change-requests/schema.ts'
import type { LimitMails } from '../../notifications/limit-mails.ts'
import { addMember } from './add-member.ts'
import type { MemberChangeDeps } from './change-member.ts'
import { checkPermission, getCurrentUser, getMember, listMembers, listUsers } from './reads.ts'
import { grantPermissions } from './grant-permissions.ts'
import { removeMember } from './remove-member.ts'
import { replacePermissions } from './replace-permissions.ts'
import { revokePermissions } from './revoke-permissions.ts'
import { currentUserResponse, listUsersQuery, toCurrentUser, toUserPage, userPage } from './schema.ts'
import { updateMember } from './update-member.ts'

interface MemberDeps extends MemberChangeDeps {
  limitMails: LimitMails
  cursorKey: KeyRing
}

export function memberRoutes(app: App, deps: MemberDeps): void {
  memberEndpoints(app, deps)
  permissionEndpoints(app, deps)
  userEndpoints(app, deps)
}

function memberEndpoints(app: App, deps: MemberDeps): void {
  const tags = ['Members']
  app.get(
    '/v1/organizations/:org_id/members',
    {
      config: { access: { permission: 'members:read' } },
      schema: {
        tags,
        operationId: 'members.list',
        description:
          '`permissions` is what the member may do now: the role, plus what was granted, less what was revoked.',
        summary: 'List the members of the organisation',
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
      config: { access: { permission: 'members:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'members.create',
        description:
          'The `user_id` is the subject of your identity provider. Adding a member who could approve payouts answers 202 with a change request if a second person has to agree.',
        summary: 'Add a member, who receives a welcome email',
        params: schema.orgParams,
        body: schema.addMemberBody,
        response: { 201: schema.memberResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const added = await addMember(deps, caller, {
        orgId: params.org_id,
        ...toNewMember(body),
        role: body.role,
      })
      if (added.held) return reply.status(202).send(toHeld(added.held))
      return reply.status(201).send(ok('Member added.', toMemberView(added.done)))
    },
  )
  app.get(
    '/v1/organizations/:org_id/members/:user_id',
    {
      config: { access: { permission: 'members:read' } },
      schema: {
        tags,
        operationId: 'members.get',
        description:
          '`permissions` is what the member may do now: the role, plus what was granted, less what was revoked.',
        summary: 'Get a member',
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
      config: { access: { permission: 'members:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'members.update',
        description:
          "Only the fields that you send change. The last administrator cannot be demoted (409), and a change of an approver's role may answer 202 with a change request.",
        summary: 'Update the name, country or role of a member',
        params: schema.memberParams,
        body: schema.updateMemberBody,
        response: { 200: schema.memberResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const updated = await updateMember(deps, caller, {
        orgId: params.org_id,
        userId: params.user_id,
        firstName: body.first_name,
        lastName: body.last_name,
        country: body.country,
        role: body.role,
      })
      if (updated.held) return reply.status(202).send(toHeld(updated.held))
      return reply.send(ok('Member updated.', toMemberView(updated.done)))
    },
  )
  app.delete(
    '/v1/organizations/:org_id/members/:user_id',
    {
      config: { access: { permission: 'members:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'members.delete',
        description:
          'Their API keys stop working at once. The last administrator cannot be removed (409), and the removal of an approver may answer 202 with a change request.',
        summary: 'Remove a member and revoke their API keys',
        params: schema.memberParams,
        response: { 202: changeRequestResponse, 204: schema.nothing, ...errors(404, 409) },
      },
    },
    async ({ caller, params }, reply) => {
      const removed = await removeMember(deps, caller, { orgId: params.org_id, userId: params.user_id })
      return removed.held ? reply.status(202).send(toHeld(removed.held)) : reply.status(204).send(null)
    },
  )
}

function permissionEndpoints(app: App, deps: MemberDeps): void {
  const tags = ['Permissions']
  app.post(
    '/v1/organizations/:org_id/members/:user_id/permissions',
    {
      config: { spec: '4.18', access: { permission: 'permissions:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'permissions.grant',
        description:
          'You can grant only what you have yourself, never to yourself and never to a higher role. A permission to approve may answer 202 with a change request.',
        summary: 'Grant a member permissions in addition to those of the role',
        params: schema.memberParams,
        body: schema.permissionsBody,
        response: { 200: schema.memberResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const set = await grantPermissions(deps, caller, {
        orgId: params.org_id,
        userId: params.user_id,
        permissions: body.permissions,
      })
      if (set.held) return reply.status(202).send(toHeld(set.held))
      return reply.send(ok('Permissions updated.', toMemberView(set.done)))
    },
  )
  app.put(
    '/v1/organizations/:org_id/members/:user_id/permissions',
    {
      config: { spec: '4.18', access: { permission: 'permissions:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'permissions.set',
        description:
          'The member then has exactly these permissions, whatever the role gives. The same rules apply as for a grant.',
        summary: 'Replace the permissions of a member',
        params: schema.memberParams,
        body: schema.replacePermissionsBody,
        response: { 200: schema.memberResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const set = await replacePermissions(deps, caller, {
        orgId: params.org_id,
        userId: params.user_id,
        permissions: body.permissions,
      })
      if (set.held) return reply.status(202).send(toHeld(set.held))
      return reply.send(ok('Permissions updated.', toMemberView(set.done)))
    },
  )
  app.delete(
    '/v1/organizations/:org_id/members/:user_id/permissions',
    {
      config: { spec: '4.18', access: { permission: 'permissions:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'permissions.revoke',
        description:
          'A revoked permission is missing even if the role has it, until it is granted again. The same rules apply as for a grant.',
        summary: 'Revoke permissions of a member, including those of the role',
        params: schema.memberParams,
        body: schema.permissionsBody,
        response: { 200: schema.memberResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const set = await revokePermissions(deps, caller, {
        orgId: params.org_id,
        userId: params.user_id,
        permissions: body.permissions,
      })
      if (set.held) return reply.status(202).send(toHeld(set.held))
      return reply.send(ok('Permissions updated.', toMemberView(set.done)))
    },
  )
  app.get(
    '/v1/organizations/:org_id/members/:user_id/permissions/check',
    {
      config: { spec: '4.18', access: { permission: 'member' } },
      schema: {
        tags,
        operationId: 'permissions.check',
        description: 'Answers 200 with `allowed: false` for a permission that the member lacks.',
        summary: 'Check whether a member has a permission',
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

function userEndpoints(app: App, deps: MemberDeps): void {
  const tags = ['Users']
  app.get(
    '/v1/users/list',
    {
      config: { spec: '4.18', access: { permission: 'users:read' } },
      schema: {
        tags,
        operationId: 'users.list',
        description:
          'The members of the organisation with the names and addresses that were stored for them.',
        summary: 'List the users of the organisation',
        querystring: listUsersQuery,
        response: { 200: userPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toUserPage(
        await listUsers(deps, caller, {
          orgId: query.org_id,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/users/me',
    {
      config: { access: { permission: 'member' } },
      schema: {
        tags,
        operationId: 'users.me',
        description: 'Use it to find out whose credential you hold and what it may do.',
        summary: 'Get the owner and the permissions of the credential',
        response: { 200: currentUserResponse, ...errors(404) },
      },
    },
    async ({ caller }) => toCurrentUser(await getCurrentUser(deps, caller), caller),
  )
}
