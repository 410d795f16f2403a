import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { createWindow } from './create-window.ts'
import { deleteWindow } from './delete-window.ts'
import { listWindows } from './list-windows.ts'
import type { MaintenanceDeps } from './record.ts'
import {
  createWindowBody,
  fromWindow,
  nothing,
  toWindow,
  toWindows,
  windowParams,
  windowResponse,
  windowsResponse,
} from './schema.ts'

export function maintenanceRoutes(app: App, deps: MaintenanceDeps): void {
  const tags = ['Routing']
  app.get(
    '/v1/routing/maintenance-windows',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'maintenanceWindows.list',
        summary: 'List the maintenance windows of your accounts and of the installation',
        description: 'Windows that have ended are not listed.',
        response: { 200: windowsResponse, ...errors() },
      },
    },
    async ({ caller }) => toWindows(await listWindows(deps, caller)),
  )
  app.post(
    '/v1/routing/maintenance-windows',
    {
      config: {
        access: { permission: 'provider-configs:write' },
        control: 'none: a route only rests meanwhile',
      },
      schema: {
        tags,
        operationId: 'maintenanceWindows.create',
        summary: 'Schedule the maintenance of a provider account',
        description:
          'From starts_at until ends_at, payments go to the account only if no other one can carry them. The operator schedules it for accounts of the installation, an organisation for its own.',
        body: createWindowBody,
        response: { 201: windowResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, body }, reply) =>
      reply
        .status(201)
        .send(
          ok('The maintenance is scheduled.', toWindow(await createWindow(deps, caller, fromWindow(body)))),
        ),
  )
  app.delete(
    '/v1/routing/maintenance-windows/:window_id',
    {
      config: {
        access: { permission: 'provider-configs:write' },
        control: 'none: a route that rested is used again',
      },
      schema: {
        tags,
        operationId: 'maintenanceWindows.delete',
        summary: 'Delete a maintenance window',
        description: 'A window that is under way ends at once.',
        params: windowParams,
        response: { 204: nothing, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      await deleteWindow(deps, caller, { windowId: params.window_id })
      return reply.status(204).send(null)
    },
  )
}
