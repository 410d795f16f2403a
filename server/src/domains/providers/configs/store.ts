import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { ProviderConfig, NewProviderConfig } from './record.ts'

const columns = [
  'org_id as orgId',
  'config_id as configId',
  'provider',
  'country',
  'payment_method as paymentMethod',
  'direction',
  'account_id as accountId',
  'priority',
  'is_active as isActive',
  'min_amount as minAmount',
  'max_amount as maxAmount',
  'description',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const toRow = (config: Partial<NewProviderConfig>) => ({
  ...(config.provider !== undefined && { provider: config.provider }),
  ...(config.country !== undefined && { country: config.country }),
  ...(config.paymentMethod !== undefined && { payment_method: config.paymentMethod }),
  ...(config.direction !== undefined && { direction: config.direction }),
  ...(config.accountId !== undefined && { account_id: config.accountId }),
  ...(config.priority !== undefined && { priority: config.priority }),
  ...(config.isActive !== undefined && { is_active: config.isActive }),
  ...(config.minAmount !== undefined && { min_amount: config.minAmount }),
  ...(config.maxAmount !== undefined && { max_amount: config.maxAmount }),
  ...(config.description !== undefined && { description: config.description }),
})

export const insertConfig = (tx: Tx, orgId: string, config: NewProviderConfig): Promise<ProviderConfig> =>
  tx.db
    .insertInto('provider_configs')
    .values({
      org_id: orgId,
      config_id: config.configId,
      provider: config.provider,
      country: config.country,
      payment_method: config.paymentMethod,
      direction: config.direction,
      ...toRow(config),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Lower priority numbers first, over both owners; at a tie the organisation's own come first. */
export const selectCorridor = (
  tx: Tx,
  orgId: string,
  corridor: { country: string; paymentMethod: string; direction: string },
): Promise<ProviderConfig[]> =>
  tx.db
    .selectFrom('provider_configs')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('country', '=', corridor.country)
    .where('payment_method', '=', corridor.paymentMethod)
    .where('direction', '=', corridor.direction)
    .where('is_active', '=', true)
    .orderBy('priority')
    .orderBy(sql`org_id = ${installationOrgId}`)
    .orderBy('created_at')
    .execute()

const allCountriesLimit = 2_000

/** In the order of selectCorridor. */
export const selectInbound = (tx: Tx, orgId: string): Promise<ProviderConfig[]> =>
  tx.db
    .selectFrom('provider_configs')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('direction', '=', 'inbound')
    .where('is_active', '=', true)
    .orderBy('priority')
    .orderBy(sql`org_id = ${installationOrgId}`)
    .orderBy('created_at')
    .limit(allCountriesLimit)
    .execute()

/** In the order of selectCorridor, of every country; inbound and outbound. */
export const selectMethod = (tx: Tx, orgId: string, paymentMethod: string): Promise<ProviderConfig[]> =>
  tx.db
    .selectFrom('provider_configs')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('payment_method', '=', paymentMethod)
    .where('direction', 'in', ['inbound', 'outbound'])
    .where('is_active', '=', true)
    .orderBy('priority')
    .orderBy(sql`org_id = ${installationOrgId}`)
    .orderBy('created_at')
    .limit(allCountriesLimit)
    .execute()

/** In the order of selectCorridor, of every direction. */
export const selectActive = (
  tx: Tx,
  orgId: string,
  filter: { country: string; paymentMethod: string },
): Promise<ProviderConfig[]> =>
  tx.db
    .selectFrom('provider_configs')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('country', '=', filter.country)
    .where('payment_method', '=', filter.paymentMethod)
    .where('is_active', '=', true)
    .orderBy('priority')
    .orderBy(sql`org_id = ${installationOrgId}`)
    .orderBy('created_at')
    .execute()

const bookTransferLimit = 200

/** Those of the operator and of the organisation, active or not. */
export const selectBookTransfers = (tx: Tx, orgId: string, country: string): Promise<ProviderConfig[]> =>
  tx.db
    .selectFrom('provider_configs')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('country', '=', country)
    .where('payment_method', '=', 'wallet')
    .limit(bookTransferLimit)
    .execute()

export function selectConfigs(
  tx: Tx,
  orgId: string,
  page: { provider: string | undefined; limit: number; before: Position | undefined },
): Promise<ProviderConfig[]> {
  let query = tx.db
    .selectFrom('provider_configs')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
  if (page.provider !== undefined) query = query.where('provider', '=', page.provider)
  if (page.before) query = query.where(beforePosition('created_at', 'config_id', page.before))
  return query.orderBy('created_at', 'desc').orderBy('config_id', 'desc').limit(page.limit).execute()
}

export const findConfig = (
  tx: Tx,
  orgId: string,
  key: { provider: string; configId: string },
): Promise<ProviderConfig | undefined> =>
  tx.db
    .selectFrom('provider_configs')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('config_id', '=', key.configId)
    .where('provider', '=', key.provider)
    .executeTakeFirst()

export const updateConfigRow = (
  tx: Tx,
  orgId: string,
  change: { configId: string } & Partial<NewProviderConfig>,
): Promise<ProviderConfig | undefined> =>
  tx.db
    .updateTable('provider_configs')
    .set({ ...toRow(change), updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('config_id', '=', change.configId)
    .returning(columns)
    .executeTakeFirst()

export async function deleteConfigRow(tx: Tx, orgId: string, configId: string): Promise<void> {
  await tx.db
    .deleteFrom('provider_configs')
    .where('org_id', '=', orgId)
    .where('config_id', '=', configId)
    .execute()
}
