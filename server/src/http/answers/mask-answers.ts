import type { FastifyRequest } from 'fastify'
import { hasPersonalData, maskPersonalData } from '../../lib/text/masking.ts'
import type { App } from '../app.ts'

/**
 * Answers with the addresses of the caller and their fellow members, with what the caller's own request contained, or
 * with the account to which a payer must pay.
 */
const inFull: readonly string[] = [
  '/v1/users/me',
  '/v1/users/list',
  '/v1/organizations/:org_id/members',
  '/v1/organizations/:org_id/members/:user_id',
  '/v1/organizations/:org_id/invitations',
  '/v1/payments-init/initiate',
  '/v1/payments-init/ramp',
  '/v1/payments-init/:payment_id/action',
  '/v1/payments/bank-validation/validate-uk-account',
]

/**
 * Masks the personal data in every answer to a caller without `personal-data:read`. It is one rule for all routes, so
 * that a field which one answer masks is not in full in another.
 */
export function registerMasking(app: App): void {
  app.addHook('preSerialization', async (request, _reply, payload) => maskFor(request, payload))
}

/** What the caller may see of an answer. Notes on the request whether that is personal data which is masked for others. */
export function maskFor(request: FastifyRequest, payload: unknown): unknown {
  if (!request.isAuthenticated || inFull.includes(request.routeOptions.url ?? '')) return payload
  if (!request.caller.permissions.has('personal-data:read')) return maskPersonalData(payload)
  // The answer to a write repeats what the caller has sent.
  if (request.method === 'GET' && !request.hasPersonalData) request.hasPersonalData = hasPersonalData(payload)
  return payload
}
