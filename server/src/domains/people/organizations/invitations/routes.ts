import type { App } from '../../../../http/app.ts'
import type { AuthenticationLimit } from '../../../../http/limits/authentication-limit.ts'
import { withCredential } from '../../../../http/auth/authentication.ts'
import { registerPages, type LimitPages } from '../../../../http/pages/customer-page.ts'
import { pagePolicy } from '../../../../lib/text/html.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import type { TokenVerifier } from '../../../../lib/crypto/token.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../change-requests/schema.ts'
import type { LimitMails } from '../../notifications/limit-mails.ts'
import { memberResponse, nothing, toMemberView } from '../schema.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { personNeeded } from './errors.ts'
import { inviteMember } from './invite-member.ts'
import { listInvitations } from './list-invitations.ts'
import { openInvitation } from './open-invitation.ts'
import type { InvitationDeps } from './record.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import * as schema from './schema.ts'
import { toInvitationPage, toInvitationView } from './schema.ts'

interface InvitationRouteDeps extends InvitationDeps {
  limitMails: LimitMails
  cursorKey: KeyRing
  limitPages: LimitPages
  verifyToken: TokenVerifier
  authenticationLimit: AuthenticationLimit
}

export function invitationRoutes(app: App, deps: InvitationRouteDeps): void {
  invitationEndpoints(app, deps)
  acceptEndpoint(app, deps)
  registerPages(app, deps.limitPages, (scope) => invitationPage(scope, deps))
}

function invitationEndpoints(app: App, deps: InvitationRouteDeps): void {
  const tags = ['Members']
  app.get(
    '/v1/organizations/:org_id/invitations',
    {
      config: { access: { permission: 'members:read' } },
      schema: {
        tags,
        operationId: 'invitations.list',
        description: 'Includes accepted, revoked and expired invitations.',
        summary: 'List the invitations of the organisation, open and past',
        params: schema.orgParams,
        querystring: schema.listInvitationsQuery,
        response: { 200: schema.invitationPage, ...errors() },
      },
    },
    async ({ caller, params, query }) =>
      toInvitationPage(
        await listInvitations(deps, caller, {
          orgId: params.org_id,
          page: { limit: query.limit, cursor: query.lastEvaluatedKey },
        }),
        deps.clock.now(),
      ),
  )
  app.post(
    '/v1/organizations/:org_id/invitations',
    {
      config: { access: { permission: 'members:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'invitations.create',
        description:
          'The invited person gets a mail with the link. A second open invitation to the same address is refused with 409, and mails are limited by recipient and by organisation. Inviting somebody who could approve payouts may answer 202 with a change request.',
        summary: 'Invite a person by email; the link works once and expires after seven days',
        params: schema.orgParams,
        body: schema.inviteBody,
        response: { 201: schema.invitationResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const invited = await inviteMember(deps, caller, { orgId: params.org_id, ...body })
      if (invited.held) return reply.status(202).send(toHeld(invited.held))
      return reply.status(201).send(ok('Invitation sent.', toInvitationView(invited.done, deps.clock.now())))
    },
  )
  app.delete(
    '/v1/organizations/:org_id/invitations/:invitation_id',
    {
      config: {
        access: { permission: 'members:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'invitations.revoke',
        description:
          'The link stops working at once. An invitation that was accepted cannot be revoked: remove the member instead.',
        summary: 'Revoke an open invitation',
        params: schema.invitationParams,
        response: { 204: nothing, ...errors(404, 409) },
      },
    },
    async ({ caller, params }, reply) => {
      await revokeInvitation(deps, caller, {
        orgId: params.org_id,
        invitationId: params.invitation_id,
      })
      return reply.status(204).send(null)
    },
  )
}

/** The route is public because the person is not a member yet; the token is verified here instead. */
function acceptEndpoint(app: App, deps: InvitationRouteDeps): void {
  app.post(
    '/v1/organizations/invitations/accept',
    {
      config: { access: { permission: 'public' } },
      schema: {
        tags: ['Members'],
        operationId: 'invitations.accept',
        description:
          'Call it with the JWT of the invited person, whose verified e-mail address must be the invited one. A token works once.',
        summary: 'Accept an invitation with your own token, which does not have to name an organisation',
        security: [],
        body: schema.acceptBody,
        response: { 201: memberResponse, ...errors(404, 409) },
      },
    },
    async ({ raw, body, ip, headers, id }, reply) => {
      const identity = await withCredential(
        deps.authenticationLimit,
        raw.rawHeaders,
        ip,
        async (credential) => {
          if (credential.kind !== 'jwt') throw personNeeded()
          return deps.verifyToken(credential.token)
        },
      )
      const origin = { ip, userAgent: headers['user-agent'], requestId: id }
      const member = await acceptInvitation(deps, origin, {
        token: body.token,
        identity,
        firstName: body.first_name,
        lastName: body.last_name,
        country: body.country ?? null,
      })
      return reply.status(201).send(ok('Welcome.', toMemberView(member)))
    },
  )
}

function invitationPage(app: App, deps: InvitationRouteDeps): void {
  app.get(
    '/invitations/:token',
    {
      config: { access: { permission: 'public' } },
      schema: { hide: true, summary: 'Show the page of an invitation', params: schema.tokenParams },
    },
    async ({ params }, reply) => {
      reply.header('content-security-policy', pagePolicy).header('referrer-policy', 'no-referrer')
      return reply.type('text/html; charset=utf-8').send(await openInvitation(deps, params.token))
    },
  )
}
