import { apiKeyRoutes } from '../domains/api-keys/routes.ts'
import { auditLogRoutes } from '../domains/audit-log/routes.ts'
import { organizationRoutes } from '../domains/organizations/routes.ts'
import { userRoutes } from '../domains/users/routes.ts'
import type { App } from './app.ts'

/** What the routes of all domains need, together. */
export type RouteDeps = Parameters<typeof apiKeyRoutes>[1] &
  Parameters<typeof auditLogRoutes>[1] &
  Parameters<typeof organizationRoutes>[1] &
  Parameters<typeof userRoutes>[1]

/** Every domain with endpoints, in the order of the reference page. */
export const routesByDomain: Readonly<Record<string, (app: App, deps: RouteDeps) => void>> = {
  organizations: organizationRoutes,
  'audit-log': auditLogRoutes,
  users: userRoutes,
  'api-keys': apiKeyRoutes,
}
