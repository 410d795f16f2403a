import type { Database } from '../../../db/database.ts'
import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/wire.ts'
import { getCurrentUser } from './get-current-user.ts'
import { listUsers } from './list-users.ts'
import { currentUserResponse, listUsersQuery, toCurrentUser, toUserPage, userPage } from './schema.ts'

export function userRoutes(app: App, deps: { db: Database; cursorKey: Buffer }): void {
  const tags = ['Users']
  app.get(
    '/v1/users/list',
    {
      config: { spec: '4.18' },
      schema: {
        tags,
        summary: 'Users of the organisation',
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
      schema: {
        tags,
        summary: 'The user and permissions behind this credential',
        response: { 200: currentUserResponse, ...errors(404) },
      },
    },
    async ({ caller }) => toCurrentUser(await getCurrentUser(deps, caller), caller),
  )
}
