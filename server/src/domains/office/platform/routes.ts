import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { getStatus } from './get-status.ts'
import type { PlatformDeps } from './record.ts'
import { statusResponse, toStatus } from './schema.ts'

export function platformRoutes(app: App, deps: PlatformDeps): void {
  app.get(
    '/v1/platform/status',
    {
      config: { access: { permission: 'platform:read' } },
      schema: {
        operationId: 'platform.getStatus',
        tags: ['Platform'],
        summary: 'Get the state of the installation',
        description:
          'For the operator: versions, migrations, the engine and its workers, the backlog of the outbox, open exceptions, and how attempts at providers went in the last hour. What cannot be asked is null.',
        response: { 200: statusResponse, ...errors() },
      },
    },
    async ({ caller }) => toStatus(await getStatus(deps, caller)),
  )
}
