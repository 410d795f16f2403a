import { z } from 'zod'
import { findConnector } from '../../connectors/registry.ts'
import type { Tx } from '../../db/database.ts'
import { installationOrgId } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { forbidden, notFound, validationError } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import type { ChangeApplier, MaybeHeld } from '../change-requests/record.ts'
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
): Promise<MaybeHeld<CredentialSummary>> {
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
  const { provider, credentials } = input
  const orgId = ownerOf(caller, input.orgId)
  const outcome = await inOwner(deps.db, orgId, async (tx) => {
    const held =
      orgId === installationOrgId
        ? undefined
        : await deps.changeControl.hold(tx, caller, {
            orgId,
            kind: 'provider-credentials.store',
            payload: { provider },
            secret: credentials,
            summary: `New keys for the organisation’s own account at ${provider}.`,
          })
    return held
      ? { held }
      : { done: await writeCredentials(deps, tx, caller, { orgId, provider, credentials }) }
  })
  if (outcome.held) return outcome
  deps.connectors.forget()
  return outcome
}

async function writeCredentials(
  deps: CredentialDeps,
  tx: Tx,
  caller: Caller,
  input: { orgId: string; provider: string; credentials: unknown },
): Promise<CredentialSummary> {
  const { orgId, provider } = input
  const sealed = await deps.vault.seal(orgId, `credentials ${provider}`, input.credentials)
  await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
    action: 'provider-credentials.store',
    resourceType: 'provider-credentials',
    resourceId: provider,
    after: { provider, scope: orgId === installationOrgId ? 'installation' : 'organisation' },
  })
  return summaryOf(deps, await upsertCredentials(tx, orgId, { provider, sealed }))
}

const requested = z.object({ provider: z.string() })

export const credentialsApplier = (deps: CredentialDeps): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload, secret }) {
    const { provider } = requested.parse(payload)
    await writeCredentials(deps, tx, approver, { orgId, provider, credentials: secret })
  },
  applied: () => deps.connectors.forget(),
})

/** A URL of the caller's choice would let them make this server call into its own network (SSRF). */
function assertNoUrl(deps: CredentialDeps, caller: Caller, credentials: Record<string, unknown>): void {
  if (caller.permissions.has('platform:write') || deps.egressPolicy.allowLoopback) return
  const path = pathOfUrl(credentials)
  if (path !== undefined)
    throw forbidden(
      `${path} can only be set by the operator. Leave it out to use the provider’s default URL.`,
    )
}
