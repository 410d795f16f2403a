import { z } from 'zod'
import { providerNames } from '../../../connectors/registry.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { dateTime, ok, shortText, success, uuid } from '../../../lib/requests/wire.ts'
import type { AccountSummary, CheckedKeys } from './record.ts'

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

const webhookUrl = z
  .string()
  .nullable()
  .meta({ description: 'Null for an account of the installation, unless the operator asks.' })

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
    suspended: z.boolean().meta({
      description: 'The operator has suspended it: nothing is sent through it, and its webhooks are taken.',
    }),
    custody: z.enum(['pooled', 'own']).meta({
      description: 'Where money at this account lies: with the installation, or with the organisation.',
    }),
    webhook_url: webhookUrl,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'ProviderAccount' })

export const accountResponse = success(account)
export const accountList = success(z.array(account)).extend({ count: z.int() })

export const credentialParams = z.object({ provider })
export const credentialsBody = z.object({ org_id: uuid.nullish(), credentials })
const credentialSummary = z
  .object({ provider, org_id: uuid.nullable(), webhook_url: webhookUrl, updated_at: dateTime })
  .meta({ id: 'ProviderCredentials' })
export const credentialResponse = success(credentialSummary)
export const credentialList = success(z.array(credentialSummary)).extend({ count: z.int() })

export const checkKeysBody = z
  .object({
    org_id: uuid.nullish().meta({ description: 'Null: the account of the installation, for the operator.' }),
    account_id: uuid.optional().meta({ description: 'One of several accounts at the provider.' }),
  })
  .optional()

const checkedKeys = z
  .object({
    provider,
    account_id: uuid,
    org_id: uuid.nullable(),
    verdict: z.enum(['accepted', 'refused', 'unknown']),
    works: z.boolean().nullable().meta({ description: 'Null when the provider gave no clear answer.' }),
    external_account_id: z
      .string()
      .nullable()
      .meta({ description: 'The account that the provider says the keys belong to, where it tells.' }),
    is_same_account: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it is the account that the keys were stored for.' }),
    detail: z.string(),
    checked_at: dateTime,
  })
  .meta({ id: 'CheckedKeys' })

export const checkedKeysResponse = success(checkedKeys)

const works = { accepted: true, refused: false, unknown: null } as const
const checkMessages = {
  accepted: 'The provider accepts the keys.',
  refused: 'The provider refuses the keys. Store new ones.',
  unknown: 'It is not known whether the keys work. Try again later.',
} as const

export const toCheckedKeys = ({
  account: { provider: name, accountId, orgId, externalAccountId: known },
  probe: { verdict, externalAccountId: reportedId, detail },
  checkedAt,
}: CheckedKeys): z.input<typeof checkedKeysResponse> =>
  ok(checkMessages[verdict], {
    provider: provider.parse(name),
    account_id: accountId,
    org_id: ownerView(orgId),
    verdict,
    works: works[verdict],
    external_account_id: reportedId ?? null,
    is_same_account: reportedId === undefined || known === null ? null : reportedId === known,
    detail,
    checked_at: checkedAt.toISOString(),
  })

const ownerView = (orgId: string): string | null => (orgId === installationOrgId ? null : orgId)

/** The operator's ids at its providers, and the addresses to which they report, are shown to the operator only. */
const seesAddresses = (caller: Caller, { orgId }: AccountSummary): boolean =>
  orgId === caller.orgId || caller.permissions.has('platform:read')

export const toAccount = (caller: Caller, row: AccountSummary): z.input<typeof account> => ({
  account_id: row.accountId,
  org_id: ownerView(row.orgId),
  provider: provider.parse(row.provider),
  label: row.label,
  external_account_id: seesAddresses(caller, row) ? row.externalAccountId : null,
  status: row.status,
  suspended: row.isSuspended,
  custody: row.orgId === installationOrgId ? 'pooled' : 'own',
  webhook_url: seesAddresses(caller, row) ? row.webhookUrl : null,
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

export const toCredentialSummary = (
  caller: Caller,
  row: AccountSummary,
): z.input<typeof credentialSummary> => ({
  provider: provider.parse(row.provider),
  org_id: ownerView(row.orgId),
  webhook_url: seesAddresses(caller, row) ? row.webhookUrl : null,
  updated_at: row.updatedAt.toISOString(),
})

export const toCredentialList = (
  caller: Caller,
  rows: readonly AccountSummary[],
): z.input<typeof credentialList> => ({
  ...ok(
    'Providers with stored credentials.',
    rows.map((row) => toCredentialSummary(caller, row)),
  ),
  count: rows.length,
})
