import { findConnector } from '../../connectors/registry.ts'
import type { Database } from '../../db/database.ts'
import { installationOrgId, type Vault } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { forbidden, notFound, validationError } from '../../lib/errors.ts'
import type { EgressPolicy } from '../../lib/egress-guard.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import type { ConnectorSource } from './load-connector.ts'
import { inOwner, ownerOf } from './manage-config.ts'
import { pathOfAddress, webhookUrlOf } from './rules.ts'
import { selectCredentials, upsertCredentials } from './store.ts'

export interface CredentialDeps {
  db: Database
  vault: Vault
  connectors: ConnectorSource
  webhookKey: Buffer
  publicUrl: string
  egressPolicy: EgressPolicy
}

export interface CredentialSummary {
  orgId: string
  provider: string
  /** The address to give to the provider. */
  webhookUrl: string
  updatedAt: Date
}

/** Keys of a provider, sealed. They are never shown again; the audit log says only that they changed. */
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
      `The credentials do not fit ${input.provider}.`,
      parsed.error.issues.map((issue) => ({
        path: ['credentials', ...issue.path].join('.'),
        message: issue.message,
      })),
    )
  assertMayPoint(deps, caller, input.credentials)
  const orgId = ownerOf(caller, input.orgId)
  const sealed = await deps.vault.seal(orgId, `credentials ${input.provider}`, input.credentials)
  const stored = await inOwner(deps.db, orgId, async (tx) => {
    await recordAudit(tx, caller, orgId === installationOrgId ? caller.orgId : orgId, {
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

/** An address of one's own choosing would make this server call into its own network. */
function assertMayPoint(deps: CredentialDeps, caller: Caller, credentials: Record<string, unknown>): void {
  if (caller.permissions.has('platform:write') || deps.egressPolicy.allowLoopback) return
  const path = pathOfAddress(credentials)
  if (path !== undefined)
    throw forbidden(`${path} is the operator’s to set. Leave it out to use the provider’s own address.`)
}

/** Which providers can be used, and where their webhooks go; never the keys. */
export async function listCredentials(deps: CredentialDeps, caller: Caller): Promise<CredentialSummary[]> {
  const rows = await deps.db.inOrg(caller.orgId, (tx) => selectCredentials(tx, caller.orgId))
  return rows.map((row) => summaryOf(deps, row))
}

const summaryOf = (
  deps: CredentialDeps,
  stored: { orgId: string; provider: string; updatedAt: Date },
): CredentialSummary => ({
  orgId: stored.orgId,
  provider: stored.provider,
  webhookUrl: webhookUrlOf(deps, stored.orgId, stored.provider),
  updatedAt: stored.updatedAt,
})
