import type { Caller, Feature, Permission } from '../../lib/requests/access.ts'
import { forbidden } from '../../lib/errors.ts'

/**
 * Who may call a route; every route declares it in its `config`. `member` admits any authenticated member,
 * `credentials` narrows the route to API keys or to tokens.
 */
export interface Access {
  permission: Permission | 'member' | 'public'
  feature?: Feature
  credentials?: readonly Caller['credential']['kind'][]
}

export function assertAllowed(access: Access, caller: Caller): void {
  if (access.credentials && !access.credentials.includes(caller.credential.kind))
    throw forbidden(`This endpoint takes ${access.credentials.join(' or ')} credentials only.`)
  if (
    access.permission !== 'member' &&
    access.permission !== 'public' &&
    !caller.permissions.has(access.permission)
  )
    throw forbidden(
      `Your role or key lacks the permission ${access.permission}. Ask an org-admin to grant it.`,
    )
  if (access.feature && !caller.features.has(access.feature))
    throw forbidden(
      `Your organisation does not have the feature ${access.feature}. Ask the operator to enable it.`,
    )
}
