import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { confirmMember } from './confirm-member.ts'
import type { IndependenceDeps } from './reads.ts'
import * as schema from './schema.ts'

export function empowermentRoutes(app: App, deps: IndependenceDeps): void {
  app.post(
    '/v1/organizations/:org_id/members/:user_id/confirm',
    {
      config: { access: { permission: 'permissions:write' }, control: 'second-person' },
      schema: {
        tags: ['Members'],
        operationId: 'members.confirm',
        summary: 'Confirm a member to whom one person alone has given access',
        description:
          'Members who were given access by one person alone do not count as second persons beside that person, or beside others whom the same person has given access. An administrator who is related to neither, or the operator, ends this by confirming the member.',
        params: schema.memberParams,
        response: { 200: schema.confirmResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params: { org_id: orgId, user_id: userId } }) => {
      await confirmMember(deps, caller, { orgId, userId })
      return ok('The member was confirmed.', { user_id: userId, confirmed_by: caller.userId })
    },
  )
}
