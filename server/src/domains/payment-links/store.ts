import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../db/database.ts'
import { assertWritten } from '../../db/errors.ts'
import type { Money } from '../../lib/money.ts'
import type { AmountType, LinkStatus } from './rules.ts'

export interface PaymentLink {
  orgId: string
  linkId: string
  linkRef: string
  /** Who made it. */
  userId: string
  amountType: AmountType
  amount: Money
  payerCurrency: string
  country: string | null
  description: string
  clientReference: string | null
  returnUrl: string | null
  privateSealed: Buffer
  status: LinkStatus
  version: number
  paymentId: string | null
  /** Of the payment behind it. */
  paymentStatus: string | null
  sessionHash: Buffer | null
  orgRateId: string | null
  expiresAt: Date
  paidAt: Date | null
  createdAt: Date
}

const columns = [
  'payment_links.org_id as orgId',
  'payment_links.link_id as linkId',
  'link_ref as linkRef',
  'payment_links.user_id as userId',
  'amount_type',
  'payment_links.amount_minor',
  'payment_links.currency',
  'payer_currency as payerCurrency',
  'payment_links.country',
  'payment_links.description',
  'payment_links.client_reference as clientReference',
  'payment_links.return_url as returnUrl',
  'payment_links.private_sealed as privateSealed',
  'payment_links.status',
  'payment_links.version',
  'payment_links.payment_id as paymentId',
  'payments.status as paymentStatus',
  'session_hash as sessionHash',
  'payment_links.org_rate_id as orgRateId',
  'expires_at as expiresAt',
  'paid_at as paidAt',
  'payment_links.created_at as createdAt',
] as const

/** With the status of the payment behind each link, which only the payments' own table knows. */
const select = (tx: Tx) =>
  tx.db
    .selectFrom('payment_links')
    .leftJoin('payments', (join) =>
      join
        .onRef('payments.org_id', '=', 'payment_links.org_id')
        .onRef('payments.payment_id', '=', 'payment_links.payment_id'),
    )
    .select(columns)

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

const toLink = ({ amount_minor, amount_type, currency, status, ...row }: Row): PaymentLink => ({
  ...row,
  amount: { amountMinor: BigInt(amount_minor), currency },
  amountType: amount_type as AmountType, // check constraint
  status: status as LinkStatus, // check constraint
})

export async function findLink(tx: Tx, orgId: string, linkId: string): Promise<PaymentLink | undefined> {
  const row = await select(tx)
    .where('payment_links.org_id', '=', orgId)
    .where('payment_links.link_id', '=', linkId)
    .executeTakeFirst()
  return row && toLink(row)
}

/** A payer has nothing but the reference. It is 160 random bits, so it names at most one link. */
export async function findLinkByRefAcrossOrgs(tx: Tx, linkRef: string): Promise<PaymentLink | undefined> {
  const row = await select(tx).where('link_ref', '=', linkRef).executeTakeFirst()
  return row && toLink(row)
}

export async function selectLinks(tx: Tx, orgId: string, limit: number): Promise<PaymentLink[]> {
  const rows = await select(tx)
    .where('payment_links.org_id', '=', orgId)
    .orderBy('payment_links.created_at', 'desc')
    .orderBy('payment_links.link_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toLink)
}

/** The columns that a maker of links decides about. */
const terms = (link: PaymentLink) => ({
  amount_type: link.amountType,
  amount_minor: link.amount.amountMinor.toString(),
  description: link.description,
  client_reference: link.clientReference,
  return_url: link.returnUrl,
  private_sealed: link.privateSealed,
  expires_at: link.expiresAt,
})

export async function insertLink(tx: Tx, orgId: string, link: PaymentLink): Promise<void> {
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

/** Fenced by the version; false when somebody else wrote first. */
export async function updateLink(tx: Tx, orgId: string, link: PaymentLink): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('payment_links')
    .set({ ...terms(link), status: link.status, version: link.version + 1, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('link_id', '=', link.linkId)
    .where('version', '=', link.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The rate that payers are shown. No change of terms: a payer's page stays good. */
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

export interface LinkClaim {
  linkId: string
  /** The version that the payer saw: with another payment or other terms behind the link, nothing is started. */
  version: number
  sessionHash: Buffer
}

/** The fence of "paid once": of two starts from the same version one finds no row and fails with its payment. */
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

/** Whatever became of the link meanwhile, money has come: it is paid, by the first payment that completes. */
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

/** The engine's list for a rebuild. */
export const selectActiveLinksAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('payment_links')
    .select(['org_id as orgId', 'link_id as linkId', 'expires_at as expiresAt'])
    .where('status', '=', 'active')
    .$if(after !== undefined, (query) => query.where('link_id', '>', after ?? ''))
    .orderBy('link_id')
    .limit(limit)
    .execute()
