import type { RobberyInstallation } from './installation.ts'

/** What somebody did, oldest first, since the installation was filled. */
export type AuditEntry = {
  readonly orgId: string
  readonly userId: string
  readonly action: string
  readonly resourceId: string
  readonly requestId: string
  /** Of an approved change request. */
  readonly requestedBy: string | null
  /** The first of two operators who approved it. */
  readonly reviewedBy: string | null
  /** Whether the member has permissions afterwards that they did not have before. */
  readonly gives: boolean
}
/** A refund from the pool of an exchanged payin: what went back, and what the balance has paid for it. */
export type RefundCost = {
  readonly paymentId: string
  readonly origin: string
  readonly askedAtMs: number
  readonly paidCurrency: string
  readonly paidMinor: number
  readonly receivedMinor: number
  readonly refundedMinor: number
  readonly chargedCurrency: string
  readonly chargedMinor: number
}
type Sum = { readonly orgId: string; readonly currency: string; readonly minor: string }
/** What takes two of the operator's people, as the rows have it. */
export type OperatorFacts = {
  readonly known: readonly string[]
  readonly added: readonly string[]
  readonly limits: readonly Sum[]
  readonly waived: readonly string[]
  readonly adjusted: readonly Sum[]
  readonly schedules: readonly string[]
}

/** Who did what, and what it changed, for the judges of people. */
export type PeopleRecords = {
  readonly audit: readonly AuditEntry[]
  /** By payment or batch, who asked for it. */
  readonly startedBy: ReadonlyMap<string, string>
  readonly operators: OperatorFacts
  readonly refundCosts: readonly RefundCost[]
}

export async function readPeople(installation: RobberyInstallation): Promise<PeopleRecords> {
  const { owner, witness } = installation
  const { operators: known, clerk } = installation.people
  const audit = await owner.query<AuditEntry>(auditSql, [witness.seededUntil])
  const started = await owner.query<{ id: string; userId: string }>(startedSql)
  const added = await owner.query<{ userId: string }>(operatorsSql, [clerk.orgId, known])
  const limits = await owner.query<Sum>(limitsSql)
  const waived = await owner.query<{ orgId: string }>(waivedSql)
  const adjusted = await owner.query<Sum>(adjustedSql)
  const schedules = await owner.query<{ orgId: string }>('select org_id as "orgId" from fee_schedules')
  const costs = await owner.query<Record<keyof RefundCost, string>>(refundCostsSql)
  return {
    audit: audit.rows,
    startedBy: new Map(started.rows.map(({ id, userId }) => [id, userId])),
    operators: {
      known,
      added: added.rows.map(({ userId }) => userId),
      limits: limits.rows,
      waived: waived.rows.map(({ orgId }) => orgId),
      adjusted: adjusted.rows,
      schedules: schedules.rows.map(({ orgId }) => orgId),
    },
    refundCosts: costs.rows.map(costOf),
  }
}

const costOf = (row: Record<keyof RefundCost, string>): RefundCost => ({
  paymentId: row.paymentId,
  origin: row.origin,
  askedAtMs: Number(row.askedAtMs),
  paidCurrency: row.paidCurrency,
  paidMinor: Number(row.paidMinor),
  receivedMinor: Number(row.receivedMinor),
  refundedMinor: Number(row.refundedMinor),
  chargedCurrency: row.chargedCurrency,
  chargedMinor: Number(row.chargedMinor),
})

/** The ids are ordered by time. */
const auditSql = `
  select org_id as "orgId", user_id as "userId", action, resource_id as "resourceId", request_id as "requestId",
         after->>'requested_by' as "requestedBy", after->>'reviewed_by' as "reviewedBy",
         not coalesce(after->'permissions', '[]') <@ coalesce(before->'permissions', '[]') as gives
  from audit_log where audit_id::text > $1 order by audit_id`

const startedSql = `
  select payment_id::text as id, user_id as "userId" from payments
  union all select batch_id::text, created_by from payout_batches`

const operatorsSql = `
  select user_id as "userId" from members
  where org_id = $1 and role = 'platform-admin' and user_id <> all($2)`

const limitsSql = `
  select org_id as "orgId", currency, limit_minor::text as minor from credit_limits where limit_minor > 0`

const waivedSql = `
  select org_id as "orgId" from organizations where not payouts_require_kyb or rate_margin_bps > 0`

const adjustedSql = `
  select org_id as "orgId", currency, amount_minor::text as minor from ledger_transfers
  where kind = 'adjustment' and 'available' in (debit_account, credit_account)`

const refundCostsSql = `
  select r.payment_id as "paymentId", r.origin, extract(epoch from r.created_at) * 1000 as "askedAtMs",
         p.currency as "paidCurrency", p.amount_minor as "paidMinor", p.target_amount_minor as "receivedMinor",
         r.amount_minor - r.excess_minor as "refundedMinor", p.target_currency as "chargedCurrency",
         (select coalesce(sum(case when t.credit_account = 'available' then -t.amount_minor
                                   when t.phase = 'void' then -t.amount_minor
                                   when t.phase = 'post' then 0
                                   else t.amount_minor end), 0)
          from ledger_transfers t
          where t.org_id = r.org_id and t.cause_id = r.refund_id and t.currency = p.target_currency
            and 'available' in (t.debit_account, t.credit_account)) as "chargedMinor"
  from refunds r join payments p using (org_id, payment_id)
  where r.state in ('sending', 'unknown', 'accepted', 'completed') and r.custody = 'pooled' and p.currency <> p.target_currency`
