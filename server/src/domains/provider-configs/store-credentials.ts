import { findConnector } from '../../connectors/registry.ts'
import { installationOrgId } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { forbidden, notFound, validationError } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { summaryOf } from './list-credentials.ts'
import type { CredentialDeps, CredentialSummary } from './record.ts'
import { auditOrgOf, inOwner, ownerOf } from './resolve-owner.ts'
import { pathOfUrl } from './rules.ts'
import { upsertCredentials } from './store.ts'

/** Seals a provider's credentials. They are never shown again; the audit log records only that they changed. */
export async function storeCredentials(
  deps: CredentialDeps,
  caller: Caller,
  input: { provider: string; orgId: string | null | undefined; credentials: Record<string, unknown> },
): Promise<CredentialSummary> {
  const definition = findConnector(input.provider)
  if (!definition) throw notFound('The provider')
  const parsed = definition.credentials.safeParse(input.credentials)
  if (!parsed.success)
    throw validationError(
      `The credentials are not valid for ${input.provider}.`,
      parsed.error.issues.map((issue) => ({
        path: ['credentials', ...issue.path].join('.'),
        message: issue.message,
      })),
    )
  assertNoUrl(deps, caller, input.credentials)
  const orgId = ownerOf(caller, input.orgId)
  const sealed = await deps.vault.seal(orgId, `credentials ${input.provider}`, input.credentials)
  const stored = await inOwner(deps.db, orgId, async (tx) => {
    await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
      action: 'provider-credentials.store',
      resourceType: 'provider-credentials',
      resourceId: input.provider,
      after: {
        provider: input.provider,
        scope: orgId === installationOrgId ? 'installation' : 'organisation',
      },
    })
    return upsertCredentials(tx, orgId, { provider: input.provider, sealed })
  })
  deps.connectors.forget()
  return summaryOf(deps, stored)
}

/** A URL of the caller's choice would let them make this server call into its own network (SSRF). */
function assertNoUrl(deps: CredentialDeps, caller: Caller, credentials: Record<string, unknown>): void {
  if (caller.permissions.has('platform:write') || deps.egressPolicy.allowLoopback) return
  const path = pathOfUrl(credentials)
  if (path !== undefined)
    throw forbidden(
      `${path} can only be set by the operator. Leave it out to use the provider’s default URL.`,
    )
}
