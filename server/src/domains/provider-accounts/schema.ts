import { z } from 'zod'
import { providerNames } from '../../connectors/registry.ts'
import { installationOrgId } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { dateTime, ok, shortText, success, uuid } from '../../lib/wire.ts'
import type { AccountSummary } from './record.ts'

const provider = z.enum(providerNames)
const statuses = z.enum(['active', 'retired'])
const credentials = z.record(z.string(), z.unknown())

export const listAccountsQuery = z.object({ provider: provider.optional() })
export const accountParams = z.object({ account_id: uuid })
export const addAccountBody = z.object({
  provider,
  label: shortText.meta({ example: 'Stripe UK' }),
  org_id: uuid.nullish().meta({ description: 'Null: an account of the installation, for the operator.' }),
  credentials,
})
export const updateAccountBody = z.object({ label: shortText.optional(), status: statuses.optional() })
export const replaceCredentialsBody = z.object({ credentials })

const account = z
  .object({
    account_id: uuid,
    org_id: uuid.nullable().meta({ description: 'Null: the installation’s.' }),
    provider,
    label: z.string(),
    external_account_id: z.string().nullable().meta({
      description: 'The provider’s own id of the account, where the provider tells it.',
    }),
    status: statuses,
    custody: z.enum(['pooled', 'own']).meta({
      description: 'Where money at this account lies: with the installation, or with the organisation.',
    }),
    webhook_url: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'ProviderAccount' })

export const accountResponse = success(account)
export const accountList = success(z.array(account)).extend({ count: z.int() })

export const credentialParams = z.object({ provider })
export const credentialsBody = z.object({ org_id: uuid.nullish(), credentials })
const credentialSummary = z
  .object({ provider, org_id: uuid.nullable(), webhook_url: z.string(), updated_at: dateTime })
  .meta({ id: 'ProviderCredentials' })
export const credentialResponse = success(credentialSummary)
export const credentialList = success(z.array(credentialSummary)).extend({ count: z.int() })

const ownerView = (orgId: string): string | null => (orgId === installationOrgId ? null : orgId)

/** The operator's ids at its providers are shown to the operator only. */
export const toAccount = (caller: Caller, row: AccountSummary): z.input<typeof account> => ({
  account_id: row.accountId,
  org_id: ownerView(row.orgId),
  provider: provider.parse(row.provider),
  label: row.label,
  external_account_id:
    row.orgId === caller.orgId || caller.permissions.has('platform:read') ? row.externalAccountId : null,
  status: row.status,
  custody: row.orgId === installationOrgId ? 'pooled' : 'own',
  webhook_url: row.webhookUrl,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toAccountList = (
  caller: Caller,
  rows: readonly AccountSummary[],
): z.input<typeof accountList> => ({
  ...ok(
    'Provider accounts.',
    rows.map((row) => toAccount(caller, row)),
  ),
  count: rows.length,
})

export const toCredentialSummary = (row: AccountSummary): z.input<typeof credentialSummary> => ({
  provider: provider.parse(row.provider),
  org_id: ownerView(row.orgId),
  webhook_url: row.webhookUrl,
  updated_at: row.updatedAt.toISOString(),
})

export const toCredentialList = (rows: readonly AccountSummary[]): z.input<typeof credentialList> => ({
  ...ok('Providers with stored credentials.', rows.map(toCredentialSummary)),
  count: rows.length,
})
