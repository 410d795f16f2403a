import type { Database } from '../../../../kernel/db/database.ts'
import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { listVersions } from './list-versions.ts'
import { listStatusResponse, toListStatus } from './schema.ts'

export function sanctionsListRoutes(app: App, deps: { db: Database }): void {
  app.get(
    '/v1/platform/sanctions-lists',
    {
      config: { access: { permission: 'platform:read' } },
      schema: {
        tags: ['Platform'],
        operationId: 'sanctionsLists.get',
        summary: 'Get the sanctions lists in force and the progress of screening',
        description:
          'Lists are loaded from files with `switchyard-server sanctions-load`. Each version screens everybody again in the background.',
        response: { 200: listStatusResponse, ...errors() },
      },
    },
    async () => ok('Sanctions lists.', toListStatus(await listVersions(deps))),
  )
}
