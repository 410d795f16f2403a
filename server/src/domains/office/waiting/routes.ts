import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listWaiting, type WaitingDeps } from './list-waiting.ts'
import { toWaiting, waitingResponse } from './schema.ts'

export function waitingRoutes(app: App, deps: WaitingDeps): void {
  app.get(
    '/v1/users/me/waiting',
    {
      config: { access: { permission: 'member' } },
      schema: {
        operationId: 'users.getWaiting',
        tags: ['Users'],
        summary: 'Get what waits for you',
        description:
          'Counts and first items of what you can decide or do now: payouts, refunds and batches to approve, change requests, resolutions and ledger adjustments of others, exceptions assigned to you, disputes due within a week, and possible matches with sanctions lists. What you may not decide about is not counted.',
        response: { 200: waitingResponse, ...errors() },
      },
    },
    async ({ caller }) => toWaiting(await listWaiting(deps, caller)),
  )
}
