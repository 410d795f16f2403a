import type { Caller, Feature, Permission } from '../lib/access.ts'
import { forbidden } from '../lib/errors.ts'

/**
 * Who may call what. Every route has a line here, or the server does not start: what is not listed is denied.
 * `member` means any authenticated member; `credentials` narrows to one kind where a key or a person is meant.
 */
export interface Access {
  permission: Permission | 'member' | 'public'
  feature?: Feature
  credentials?: readonly Caller['credential']['kind'][]
}

const readsEscrow: Access = { permission: 'escrow:read', feature: 'escrow' }
/** Of the roles org-admin alone has it, as the parties of a milestone ask for. */
const writesEscrow: Access = { permission: 'escrow:write', feature: 'escrow' }

export const accessTable: Readonly<Record<string, Access>> = {
  'GET /healthz': { permission: 'public' },
  'GET /readyz': { permission: 'public' },
  'GET /openapi.json': { permission: 'public' },

  'GET /v1/organizations': { permission: 'organizations:read' },
  'POST /v1/organizations': { permission: 'platform:write' },
  'GET /v1/organizations/:org_id': { permission: 'organizations:read' },
  'PATCH /v1/organizations/:org_id': { permission: 'organizations:write' },
  'GET /v1/organizations/:org_id/members': { permission: 'members:read' },
  'POST /v1/organizations/:org_id/members': { permission: 'members:write' },
  'GET /v1/organizations/:org_id/members/:user_id': { permission: 'members:read' },
  'PATCH /v1/organizations/:org_id/members/:user_id': { permission: 'members:write' },
  'DELETE /v1/organizations/:org_id/members/:user_id': { permission: 'members:write' },
  'POST /v1/organizations/:org_id/members/:user_id/permissions': { permission: 'permissions:write' },
  'PUT /v1/organizations/:org_id/members/:user_id/permissions': { permission: 'permissions:write' },
  'DELETE /v1/organizations/:org_id/members/:user_id/permissions': { permission: 'permissions:write' },
  'GET /v1/organizations/:org_id/members/:user_id/permissions/check': { permission: 'member' },
  'GET /v1/organizations/:org_id/invitations': { permission: 'members:read' },
  'POST /v1/organizations/:org_id/invitations': { permission: 'members:write' },
  'DELETE /v1/organizations/:org_id/invitations/:invitation_id': { permission: 'members:write' },
  // By the invitation's code and a token that need not name an organisation yet.
  'POST /v1/organizations/invitations/accept': { permission: 'public' },
  'GET /invitations/:token': { permission: 'public' },
  'POST /v1/organizations/:org_id/kyb/initiate': { permission: 'organizations:write' },
  'POST /v1/organizations/webhook/kyb': { permission: 'public' },
  'POST /v1/organizations/:org_id/data-keys/rotate': { permission: 'organizations:write' },
  'GET /v1/organizations/:org_id/audit-log': { permission: 'audit-log:read' },

  'GET /v1/organizations/:org_id/approval-policies': { permission: 'approval-policies:read' },
  'PUT /v1/organizations/:org_id/approval-policies': { permission: 'approval-policies:write' },
  'GET /v1/organizations/admin/exchange-rate': { permission: 'rates:read' },

  'GET /v1/users/analytics/geographic-distribution': { permission: 'users:read' },
  'GET /v1/transactions/analytics/trends': { permission: 'analytics:read' },
  'GET /v1/users/list': { permission: 'users:read' },
  'GET /v1/users/me': { permission: 'member' },
  'POST /v1/users/notifications/verification-request': { permission: 'verifications:write' },
  'GET /v1/users/notifications/verification-requests': { permission: 'payments:read' },
  'GET /v1/users/notifications/verification-requests/:request_id': { permission: 'verifications:read' },
  'GET /verify/:token': { permission: 'public' },
  'POST /verify/:token': { permission: 'public' },
  'GET /v1/users/notifications': { permission: 'member' },
  'POST /v1/users/notifications/:notification_id/read': { permission: 'member' },

  'GET /v1/public/api-keys': { permission: 'api-keys:read' },
  'POST /v1/public/api-keys': { permission: 'api-keys:write' },
  'POST /v1/public/api-keys/:api_key_id/rotate': { permission: 'api-keys:write' },
  'DELETE /v1/public/api-keys/:api_key_id': { permission: 'api-keys:write' },

  'POST /v1/public/webhooks': { permission: 'webhooks:write' },
  'GET /v1/public/webhooks': { permission: 'webhooks:read' },
  'GET /v1/public/webhooks/:webhook_id': { permission: 'webhooks:read' },
  'PATCH /v1/public/webhooks/:webhook_id': { permission: 'webhooks:write' },
  'DELETE /v1/public/webhooks/:webhook_id': { permission: 'webhooks:write' },
  'POST /v1/public/webhooks/:webhook_id/rotate-secret': { permission: 'webhooks:write' },
  'POST /v1/public/webhooks/:webhook_id/test': { permission: 'webhooks:write' },
  'POST /v1/public/webhooks/:webhook_id/recover': { permission: 'webhooks:write' },
  'GET /v1/public/webhooks/:webhook_id/deliveries': { permission: 'webhooks:read' },
  'GET /v1/public/webhooks/:webhook_id/deliveries/:delivery_id': { permission: 'webhooks:read' },
  'GET /v1/public/webhooks/events': { permission: 'webhooks:read' },
  'GET /v1/public/webhooks/events/:event_id': { permission: 'webhooks:read' },
  'POST /v1/public/webhooks/events/:event_id/replay': { permission: 'webhooks:write' },
  'GET /v1/public/webhooks/dead-letters': { permission: 'webhooks:read' },
  'POST /v1/public/webhooks/dead-letters/replay': { permission: 'webhooks:write' },
  'POST /v1/public/webhooks/notify': { permission: 'webhooks:write' },

  'POST /v1/payments-init/initiate': { permission: 'payments:write' },
  'POST /v1/payments-init/ramp': { permission: 'payments:write' },
  'POST /v1/payments-init/:payment_id/action': { permission: 'payments:write' },
  'GET /v1/payments/transaction/:transaction_id': { permission: 'payments:read' },
  'GET /v1/payments/:payment_id': { permission: 'payments:read' },
  'GET /v1/payments/:payment_id/timeline': { permission: 'payments:read' },
  'POST /v1/payments/:payment_id/cancel': { permission: 'payments:write' },
  'POST /v1/payments/:payment_id/review': { permission: 'payouts:approve' },
  'POST /v1/payments/:payment_id/confirm': { permission: 'payouts:approve' },
  'POST /v1/payments/:payment_id/refund': { permission: 'refunds:write' },
  'GET /v1/payments/:payment_id/refunds': { permission: 'payments:read' },
  'GET /v1/payments/exceptions': { permission: 'exceptions:read' },
  'POST /v1/payments/exceptions/:exception_id/close': { permission: 'exceptions:write' },
  'POST /v1/payments/exceptions/:exception_id/release-money': { permission: 'exceptions:write' },
  'POST /v1/payments/exceptions/:exception_id/assign-deposit': { permission: 'exceptions:write' },
  'POST /v1/payments/exceptions/:exception_id/return-deposit': { permission: 'exceptions:write' },
  'POST /v1/payments/reconciliation': { permission: 'exceptions:write' },
  'GET /v1/orgs/:org_id/payment-links': { permission: 'payment-links:read' },
  'POST /v1/orgs/:org_id/payment-links': { permission: 'payment-links:write' },
  'GET /v1/orgs/:org_id/payment-links/:link_id': { permission: 'payment-links:read' },
  'PATCH /v1/orgs/:org_id/payment-links/:link_id': { permission: 'payment-links:write' },
  'DELETE /v1/orgs/:org_id/payment-links/:link_id': { permission: 'payment-links:write' },
  'GET /v1/transactions': { permission: 'payments:read' },
  'GET /pay/:link_ref': { permission: 'public' },
  'POST /pay/:link_ref': { permission: 'public' },
  'POST /pay/:link_ref/otp': { permission: 'public' },
  'POST /pay/:link_ref/cancel': { permission: 'public' },
  'GET /pay/:link_ref/status': { permission: 'public' },
  'GET /pay/:link_ref/events': { permission: 'public' },
  'GET /pay/:link_ref/logo': { permission: 'public' },
  'GET /pay-assets/:file': { permission: 'public' },
  'GET /return/:token': { permission: 'public' },
  'GET /return/:token/status': { permission: 'public' },
  'GET /return/:token/events': { permission: 'public' },
  'GET /return/:token/logo': { permission: 'public' },
  'POST /v1/providers/:provider/webhooks/:token': { permission: 'public' },
  'HEAD /v1/providers/:provider/webhooks/:token': { permission: 'public' },

  'GET /v1/payments/provider-configs': { permission: 'provider-configs:read' },
  'POST /v1/payments/provider-configs': { permission: 'provider-configs:write' },
  'GET /v1/payments/provider-configs/:provider/:config_id': { permission: 'provider-configs:read' },
  'PATCH /v1/payments/provider-configs/:provider/:config_id': { permission: 'provider-configs:write' },
  'DELETE /v1/payments/provider-configs/:provider/:config_id': { permission: 'provider-configs:write' },
  'GET /v1/payments/provider-credentials': { permission: 'provider-configs:read' },
  'PUT /v1/payments/provider-credentials/:provider': { permission: 'provider-configs:write' },

  'POST /v1/payments/bank-validation/validate-uk-account': { permission: 'beneficiaries:read' },
  'GET /v1/screening/addresses': { permission: 'provider-configs:read' },
  'PUT /v1/screening/addresses/:address': { permission: 'provider-configs:write' },
  'DELETE /v1/screening/addresses/:address': { permission: 'provider-configs:write' },

  'POST /v1/externals/networks': { permission: 'networks:read' },
  'GET /v1/beneficiaries': { permission: 'beneficiaries:read' },
  'POST /v1/beneficiaries': { permission: 'beneficiaries:write' },
  'GET /v1/beneficiaries/:beneficiary_id': { permission: 'beneficiaries:read' },
  'PATCH /v1/beneficiaries/:beneficiary_id': { permission: 'beneficiaries:write' },
  'DELETE /v1/beneficiaries/:beneficiary_id': { permission: 'beneficiaries:write' },

  'POST /v1/virtual-accounts/internal/bank': { permission: 'virtual-accounts:write' },
  'GET /v1/virtual-accounts': { permission: 'virtual-accounts:read' },
  'GET /v1/virtual-accounts/:account_id': { permission: 'virtual-accounts:read' },
  'POST /v1/virtual-accounts/:account_id/freeze': { permission: 'virtual-accounts:write' },
  'POST /v1/virtual-accounts/:account_id/unfreeze': { permission: 'virtual-accounts:write' },
  'POST /v1/virtual-accounts/:account_id/transfer': { permission: 'virtual-accounts:write' },
  'POST /v1/virtual-accounts/:account_id/withdraw': { permission: 'virtual-accounts:write' },
  'GET /v1/virtual-accounts/transactions/:transaction_id': { permission: 'virtual-accounts:read' },
  'GET /v1/virtual-accounts/:account_id/transactions': { permission: 'virtual-accounts:read' },
  'GET /v1/virtual-accounts/:account_id/statement': { permission: 'virtual-accounts:read' },
  'GET /v1/virtual-accounts/:account_id/statement.csv': { permission: 'virtual-accounts:read' },

  'POST /v1/virtual-accounts/escrow': writesEscrow,
  'GET /v1/virtual-accounts/escrow': readsEscrow,
  'GET /v1/virtual-accounts/escrow/:escrow_id': readsEscrow,
  'POST /v1/virtual-accounts/escrow/:escrow_id/fund': writesEscrow,
  'POST /v1/virtual-accounts/escrow/:escrow_id/cancel': writesEscrow,
  'POST /v1/virtual-accounts/escrow/:escrow_id/parties': writesEscrow,
  'GET /v1/virtual-accounts/escrow/:escrow_id/parties': readsEscrow,
  'POST /v1/virtual-accounts/escrow/:escrow_id/milestones': writesEscrow,
  'GET /v1/virtual-accounts/escrow/:escrow_id/milestones': readsEscrow,
  'GET /v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id': readsEscrow,
  'PATCH /v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id': writesEscrow,
  'PUT /v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/parties': writesEscrow,
  'POST /v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/contract': writesEscrow,
  'POST /v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/approve': writesEscrow,
  'POST /v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/disburse': writesEscrow,
}

export function accessOf(method: string, path: string): Access {
  const access = accessTable[`${method} ${path}`] ?? (method === 'HEAD' && accessTable[`GET ${path}`])
  if (!access) throw new Error(`${method} ${path} has no line in the access table`)
  return access
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
