import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { ProviderAccount, SealedAccount } from './record.ts'

const columns = [
  'org_id as orgId',
  'account_id as accountId',
  'provider',
  'label',
  'external_account_id as externalAccountId',
  'status',
  sql<boolean>`is_suspended(org_id, 'provider_account', account_id::text)`.as('isSuspended'),
  'keys_changed_at as keysChangedAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const sealedColumns = [...columns, 'credentials_sealed as credentialsSealed'] as const

const withStatus = <Row extends { status: string }>(row: Row): Row & Pick<ProviderAccount, 'status'> => ({
  ...row,
  status: row.status as ProviderAccount['status'], // check constraint
})

/** The accounts of the organisation and of the installation, oldest first. */
export async function selectAccounts(
  tx: Tx,
  orgId: string,
  filter: { provider?: string | undefined } = {},
): Promise<ProviderAccount[]> {
  const rows = await tx.db
    .selectFrom('provider_accounts')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .$if(filter.provider !== undefined, (query) => query.where('provider', '=', filter.provider ?? ''))
    .orderBy('provider')
    .orderBy('created_at')
    .orderBy('account_id')
    .execute()
  return rows.map(withStatus)
}

/** Ids are unique over all organisations. */
export async function findAccountAcrossOrgs(tx: Tx, accountId: string): Promise<SealedAccount | undefined> {
  const row = await tx.db
    .selectFrom('provider_accounts')
    .select(sealedColumns)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && withStatus(row)
}

export async function selectOwnAccounts(tx: Tx, orgId: string, provider: string): Promise<SealedAccount[]> {
  const rows = await tx.db
    .selectFrom('provider_accounts')
    .select(sealedColumns)
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('status', '=', 'active')
    .orderBy('created_at')
    .execute()
  return rows.map(withStatus)
}

/** Serialises changes of an owner's accounts at a provider, so that two requests do not both create the first one. */
export async function lockAccounts(tx: Tx, orgId: string, provider: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`provider accounts ${orgId} ${provider}`}, 0))`.execute(
    tx.db,
  )
}

export async function insertAccount(
  tx: Tx,
  orgId: string,
  account: Pick<
    SealedAccount,
    'accountId' | 'provider' | 'label' | 'externalAccountId' | 'credentialsSealed'
  >,
): Promise<ProviderAccount> {
  const row = await tx.db
    .insertInto('provider_accounts')
    .values({
      org_id: orgId,
      account_id: account.accountId,
      provider: account.provider,
      label: account.label,
      external_account_id: account.externalAccountId,
      credentials_sealed: account.credentialsSealed,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return withStatus(row)
}

export async function replaceKeys(
  tx: Tx,
  orgId: string,
  keys: {
    accountId: string
    sealed: Buffer
    externalAccountId: string | null
    /** Set when the keys differ from the former ones. */
    changedAt: Date | undefined
  },
): Promise<ProviderAccount | undefined> {
  const row = await tx.db
    .updateTable('provider_accounts')
    .set({
      credentials_sealed: keys.sealed,
      updated_at: sql`now()`,
      ...(keys.externalAccountId !== null && { external_account_id: keys.externalAccountId }),
      ...(keys.changedAt && { keys_changed_at: keys.changedAt }),
    })
    .where('org_id', '=', orgId)
    .where('account_id', '=', keys.accountId)
    .returning(columns)
    .executeTakeFirst()
  return row && withStatus(row)
}

export async function updateAccountRow(
  tx: Tx,
  orgId: string,
  change: { accountId: string; label?: string | undefined; status?: ProviderAccount['status'] | undefined },
): Promise<ProviderAccount | undefined> {
  const row = await tx.db
    .updateTable('provider_accounts')
    .set({
      updated_at: sql`now()`,
      ...(change.label !== undefined && { label: change.label }),
      ...(change.status !== undefined && { status: change.status }),
    })
    .where('org_id', '=', orgId)
    .where('account_id', '=', change.accountId)
    .returning(columns)
    .executeTakeFirst()
  return row && withStatus(row)
}
