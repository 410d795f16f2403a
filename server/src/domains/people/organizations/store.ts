import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Feature } from '../../../lib/requests/access.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type {
  CardPolicy,
  Identity,
  KybChange,
  KybStatus,
  Organization,
  OrganizationChange,
  OrganizationKyb,
} from './record.ts'

const columns = [
  'org_id as orgId',
  'name',
  'country',
  'verified_name as verifiedName',
  'verified_country as verifiedCountry',
  'features',
  'kyb_status as kybStatus',
  'kyb_customer_id as kybCustomerId',
  'kyb_reason as kybReason',
  'payouts_require_kyb as payoutsRequireKyb',
  'own_accounts_only as ownAccountsOnly',
  sql<CardPolicy>`cards`.as('cards'),
  'rate_margin_bps as rateMarginBps',
  'return_url_hosts as returnUrlHosts',
  'return_url_schemes as returnUrlSchemes',
  'brand_color as brandColor',
  sql<boolean>`logo is not null`.as('hasLogo'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export async function insertOrganizationAcrossOrgs(
  tx: Tx,
  organization: { orgId: string; name: string; country: string; features: readonly Feature[] },
): Promise<Organization> {
  return tx.db
    .insertInto('organizations')
    .values({
      org_id: organization.orgId,
      name: organization.name,
      country: organization.country,
      features: [...organization.features],
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export const findOrganization = (tx: Tx, orgId: string): Promise<Organization | undefined> =>
  tx.db.selectFrom('organizations').select(columns).where('org_id', '=', orgId).executeTakeFirst()

/** Changes to the set of administrators hold this lock too. */
export const lockOrganization = (tx: Tx, orgId: string): Promise<Organization | undefined> =>
  tx.db.selectFrom('organizations').select(columns).where('org_id', '=', orgId).forUpdate().executeTakeFirst()

export function selectOrganizationsAcrossOrgs(
  tx: Tx,
  limit: number,
  before: Position | undefined,
): Promise<Organization[]> {
  let query = tx.db.selectFrom('organizations').select(columns)
  if (before) query = query.where(beforePosition('created_at', 'org_id', before))
  return query.orderBy('created_at', 'desc').orderBy('org_id', 'desc').limit(limit).execute()
}

export const selectOrganizationIdsAcrossOrgs = async (tx: Tx): Promise<string[]> =>
  (await tx.db.selectFrom('organizations').select('org_id as orgId').orderBy('org_id').execute()).map(
    ({ orgId }) => orgId,
  )

export const updateOrganizationRow = (
  tx: Tx,
  orgId: string,
  change: OrganizationChange & { verified?: Identity | null },
): Promise<Organization> =>
  tx.db
    .updateTable('organizations')
    .set({
      ...(change.name !== undefined && { name: change.name }),
      ...(change.country !== undefined && { country: change.country }),
      ...(change.verified !== undefined && verifiedColumns(change.verified)),
      ...(change.features && { features: change.features }),
      ...(change.payoutsRequireKyb !== undefined && { payouts_require_kyb: change.payoutsRequireKyb }),
      ...(change.ownAccountsOnly !== undefined && { own_accounts_only: change.ownAccountsOnly }),
      ...(change.cards !== undefined && { cards: change.cards }),
      ...(change.rateMarginBps !== undefined && { rate_margin_bps: change.rateMarginBps }),
      ...(change.returnUrlHosts && { return_url_hosts: change.returnUrlHosts }),
      ...(change.returnUrlSchemes && { return_url_schemes: change.returnUrlSchemes }),
      ...(change.brandColor !== undefined && { brand_color: change.brandColor }),
      ...(change.logo !== undefined && { logo: change.logo }),
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .returning(columns)
    .executeTakeFirstOrThrow()

const verifiedColumns = (verified: Identity | null) => ({
  verified_name: verified?.name ?? null,
  verified_country: verified?.country ?? null,
})

const identityOf = (name: string | null, country: string | null): Identity | undefined =>
  name === null || country === null ? undefined : { name, country }

export async function findLogo(tx: Tx, orgId: string): Promise<Buffer | undefined> {
  const row = await tx.db
    .selectFrom('organizations')
    .select('logo')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.logo ?? undefined
}

/** Locked, so that concurrent updates from the provider are applied one after the other. */
export async function lockKybRow(tx: Tx, orgId: string): Promise<OrganizationKyb | undefined> {
  const row = await tx.db
    .selectFrom('organizations')
    .select([
      'org_id as orgId',
      'name',
      'country',
      'verified_name as verifiedName',
      'verified_country as verifiedCountry',
      'kyb_name as kybName',
      'kyb_country as kybCountry',
      'kyb_status as status',
      'kyb_customer_id as customerId',
      'kyb_is_final as isFinal',
      'kyb_news_at as newsAt',
      'kyb_event_count as eventCount',
    ])
    .where('org_id', '=', orgId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  const { verifiedName, verifiedCountry, kybName, kybCountry, ...kyb } = row
  return {
    ...kyb,
    status: kyb.status as KybStatus, // check constraint
    verified: identityOf(verifiedName, verifiedCountry),
    submitted: identityOf(kybName, kybCountry),
  }
}

/** Falls back to our own id, because the first webhook may arrive before the call that returns the customer id. */
export async function findOrgByKybCustomerAcrossOrgs(
  tx: Tx,
  customer: { customerId: string; orgId: string | undefined },
): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('organizations')
    .select('org_id')
    .where((is) =>
      is.or([
        is('kyb_customer_id', '=', customer.customerId),
        is.and([is('org_id', '=', customer.orgId ?? null), is('kyb_customer_id', 'is', null)]),
      ]),
    )
    .executeTakeFirst()
  return row?.org_id
}

export async function updateKybRow(tx: Tx, orgId: string, change: KybChange): Promise<void> {
  await tx.db
    .updateTable('organizations')
    .set({
      kyb_status: change.status,
      kyb_customer_id: change.customerId,
      ...(change.reason !== undefined && { kyb_reason: change.reason }),
      ...(change.isFinal !== undefined && { kyb_is_final: change.isFinal }),
      ...(change.newsAt !== undefined && { kyb_news_at: change.newsAt }),
      ...(change.eventCount !== undefined && { kyb_event_count: change.eventCount }),
      ...(change.submitted && { kyb_name: change.submitted.name, kyb_country: change.submitted.country }),
      ...(change.verified !== undefined && verifiedColumns(change.verified)),
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .execute()
}
