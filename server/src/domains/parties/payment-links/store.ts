import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { assertWritten } from '../../../kernel/db/errors.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { LinkClaim, LinkVersion, StoredLink } from './record.ts'
import type { AmountType, LinkStatus } from './rules.ts'

const columns = [
  'org_id as orgId',
  'link_id as linkId',
  'link_ref as linkRef',
  'user_id as userId',
  'amount_type',
  'amount_minor',
  'currency',
  'payer_currency as payerCurrency',
  'country',
  'description',
  'client_reference as clientReference',
  'return_url as returnUrl',
  'private_sealed as privateSealed',
  'status',
  'version',
  'payment_id as paymentId',
  'session_hash as sessionHash',
  'org_rate_id as orgRateId',
  'expires_at as expiresAt',
  'paid_at as paidAt',
  'created_at as createdAt',
] as const

const select = (tx: Tx) => tx.db.selectFrom('payment_links').select(columns)

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

const toLink = ({ amount_minor, amount_type, currency, status, ...row }: Row): StoredLink => ({
  ...row,
  amount: { amountMinor: BigInt(amount_minor), currency },
  amountType: amount_type as AmountType, // check constraint
  status: status as LinkStatus, // check constraint
})

export async function findLink(tx: Tx, orgId: string, linkId: string): Promise<StoredLink | undefined> {
  const row = await select(tx).where('org_id', '=', orgId).where('link_id', '=', linkId).executeTakeFirst()
  return row && toLink(row)
}

/** Payers have only the reference. With 160 random bits it identifies at most one link. */
export async function findLinkByRefAcrossOrgs(tx: Tx, linkRef: string): Promise<StoredLink | undefined> {
  const row = await select(tx).where('link_ref', '=', linkRef).executeTakeFirst()
  return row && toLink(row)
}

/** Those that exist, of any organisations. */
export async function selectLinkVersionsAcrossOrgs(
  db: Tx['db'],
  links: readonly Pick<StoredLink, 'orgId' | 'linkId'>[],
): Promise<LinkVersion[]> {
  const { rows } = await sql<LinkVersion>`
    select link.org_id as "orgId", link.link_id as "linkId", link.version, link.payment_id as "paymentId"
    from unnest(
      ${links.map(({ orgId }) => orgId)}::uuid[], ${links.map(({ linkId }) => linkId)}::uuid[]
    ) as seen (org_id, link_id)
    join payment_links link on link.org_id = seen.org_id and link.link_id = seen.link_id`.execute(db)
  return rows
}

export async function selectLinks(
  tx: Tx,
  orgId: string,
  page: { status: LinkStatus | undefined; now: Date; limit: number; before: Position | undefined },
): Promise<StoredLink[]> {
  let query = select(tx).where('org_id', '=', orgId)
  if (page.status !== undefined) query = query.where(isInStatus(page.status, page.now))
  if (page.before) query = query.where(beforePosition('created_at', 'link_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('link_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toLink)
}

/** As `statusAt`: an active link past its expiry counts as expired. */
const isInStatus = (status: LinkStatus, now: Date): RawBuilder<boolean> =>
  sql<boolean>`case when status = 'active' and expires_at <= ${now} then 'expired' else status end = ${status}`

/** The columns that the link's creator sets. */
const terms = (link: StoredLink) => ({
  amount_type: link.amountType,
  amount_minor: link.amount.amountMinor.toString(),
  description: link.description,
  client_reference: link.clientReference,
  return_url: link.returnUrl,
  private_sealed: link.privateSealed,
  expires_at: link.expiresAt,
})

export async function insertLink(tx: Tx, orgId: string, link: StoredLink): Promise<void> {
  await tx.db
    .insertInto('payment_links')
    .values({
      org_id: orgId,
      link_id: link.linkId,
      link_ref: link.linkRef,
      user_id: link.userId,
      currency: link.amount.currency,
      payer_currency: link.payerCurrency,
      country: link.country,
      created_at: link.createdAt,
      updated_at: link.createdAt,
      ...terms(link),
    })
    .execute()
}

/** False if the version has changed since the link was read. */
export async function updateLinkRow(tx: Tx, orgId: string, link: StoredLink): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('payment_links')
    .set({ ...terms(link), status: link.status, version: link.version + 1, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('link_id', '=', link.linkId)
    .where('version', '=', link.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Leaves the version as it is, because the terms do not change and open pages remain valid. */
export async function updateLinkRate(
  tx: Tx,
  orgId: string,
  link: { linkId: string; orgRateId: string },
): Promise<void> {
  await tx.db
    .updateTable('payment_links')
    .set({ org_rate_id: link.orgRateId })
    .where('org_id', '=', orgId)
    .where('link_id', '=', link.linkId)
    .execute()
}

/**
 * Ensures that a link is paid once: of two payments started from the same version, one updates no row and fails.
 */
export const claimLink = (
  orgId: string,
  claim: LinkClaim,
  payment: { paymentId: string; createdAt: Date },
): CompiledQuery =>
  statements
    .with('written', (db) =>
      db
        .updateTable('payment_links')
        .set({
          payment_id: payment.paymentId,
          session_hash: claim.sessionHash,
          version: claim.version + 1,
          updated_at: payment.createdAt,
        })
        .where('org_id', '=', orgId)
        .where('link_id', '=', claim.linkId)
        .where('version', '=', claim.version)
        .where('status', '=', 'active')
        .where('expires_at', '>', payment.createdAt)
        .returning('link_id'),
    )
    .selectFrom('written')
    .select(assertWritten('linkTaken').as('fence'))
    .compile()

/** The first completed payment marks the link paid whatever its status, because the money was received. */
export const markLinkPaid = (
  orgId: string,
  linkId: string,
  payment: { paymentId: string; updatedAt: Date },
): CompiledQuery =>
  statements
    .updateTable('payment_links')
    .set({
      status: 'paid',
      paid_at: payment.updatedAt,
      payment_id: payment.paymentId,
      version: sql`version + 1`,
      updated_at: payment.updatedAt,
    })
    .where('org_id', '=', orgId)
    .where('link_id', '=', linkId)
    .where('status', '<>', 'paid')
    .compile()

/** Returns how many it expired. The literals let the planner recognise the index of active links by their expiry. */
export async function expireDueLinksAcrossOrgs(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update payment_links link set status = 'expired', version = link.version + 1, updated_at = now()
    from (
      select org_id, link_id from payment_links where status = 'active' and expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked
    ) due
    where link.org_id = due.org_id and link.link_id = due.link_id`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}

export async function clearPrivate(tx: Tx, orgId: string, linkIds: readonly string[]): Promise<void> {
  await sql`
    update payment_links set private_sealed = ''
    where org_id = ${orgId} and link_id = any(${[...linkIds]}::uuid[])`.execute(tx.db)
}
