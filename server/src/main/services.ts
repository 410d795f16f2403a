import { notificationService } from '../domains/notifications/workflow.ts'
import { reopenNotifications } from '../domains/notifications/reopen-notifications.ts'
import type { EngineService } from '../engine/service.ts'
import type { Deps } from './deps.ts'

/** Every durable service of the worker. */
export const engineServices = (namespace: string, deps: Deps): EngineService[] => [
  notificationService(namespace, deps),
]

/** For each kind of open work in Postgres, how it is handed to the engine again. */
export const reopenWork: Readonly<Record<string, (deps: Pick<Deps, 'db'>) => Promise<number>>> = {
  notifications: reopenNotifications,
}
