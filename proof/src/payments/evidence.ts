import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import type { ReceivedEvent } from '@switchyard/server/test/app/test-receiver.ts'
import { readBatches, type BatchRecords } from './batch-evidence.ts'
import { readJournal } from '@switchyard/simulator/core/journal.ts'
import { disputeSchema, type Dispute } from '@switchyard/simulator/core/dispute.ts'
import { transactionSchema, type Transaction } from '@switchyard/simulator/core/transaction.ts'

export type PaymentRow = {
  orgId: string
  paymentId: string
  status: string
  /** The provider reversed or returned it after it had completed it. */
  isTakenBack: boolean
  direction: string
  provider: string | null
  clientReference: string | null
  createdAt: Date
  updatedAt: Date
}
export type AttemptRow = {
  paymentId: string
  attemptNo: number
  provider: string
  reference: string
  state: string
  outcomeCode: string | null
  outcomeMessage: string | null
  createdAt: Date
  /** When the provider's outcome was first known. */
  knownAt: Date | null
}
type RefundRow = {
  paymentId: string
  refundId: string
  reference: string
  provider: string
  state: string
  /** The id of a refund that was made at the provider itself; null for one of ours. */
  foreignRef: string | null
  isExcess: boolean
  createdAt: Date
}
type EventRow = {
  orgId: string
  eventId: string
  eventType: string
  paymentId: string
  createdAt: Date
}
type DisputeRow = {
  disputeId: string
  provider: string
  providerRef: string
  state: string
  moves: number
}
type DeliveryRow = { eventId: string; webhookId: string; status: string }
type ExceptionRow = { paymentId: string | null; kind: string }

export type Acceptance = z.infer<typeof acceptance>

/** The state according to Postgres, the providers and the receivers of our events. */
export type Evidence = {
  payments: PaymentRow[]
  attempts: AttemptRow[]
  refunds: RefundRow[]
  disputes: DisputeRow[]
  /** The batches of payouts, with their rows and the payments that name a row. */
  bulk: BatchRecords
  /** The provider's disputes, by `provider id`. */
  theirDisputes: Map<string, Dispute>
  events: EventRow[]
  deliveries: DeliveryRow[]
  exceptions: ExceptionRow[]
  outbox: { service: string; attempts: number; isDue: boolean }[]
  acceptances: Acceptance[]
  /** By our reference. */
  transactions: Map<string, Transaction>
  /** Every state that the transaction has been in. */
  histories: Map<string, Set<string>>
  /** What each provider owes according to the ledger, in minor units, by `provider currency`; without disputes. */
  providerBalances: Map<string, bigint>
  /** Provider webhooks that were processed more than once. */
  processedTwice: { paymentId: string | null; dedupeKey: string }[]
  /** Ledger entries that were changed or deleted. */
  rewrittenEntries: string[]
  /** The events that the endpoints received. */
  received: readonly ReceivedEvent[]
}

export type Witnesses = {
  installation: { owner: { connect(): Promise<PoolClient> }; simulatorDir: string }
  receivers: { receiver: { received: readonly ReceivedEvent[] } }
}

const firstKnown = `least(
  (select min(i.created_at) from inquiries i where i.org_id = a.org_id and i.payment_id = a.payment_id
    and i.attempt_no = a.attempt_no and i.result = 'accepted'),
  (select min(w.created_at) from inbox w where w.org_id = a.org_id and w.payment_id = a.payment_id and w.verdict = 'verified'),
  case when a.state in ('declined', 'not_sent') then a.updated_at end)`

/**
 * Ignores provider records older than the given time. While work is in progress, a cause is read after
 * its effect: acceptances before attempts, provider transactions after payments. Otherwise, what
 * happens between two reads would look like an effect without a cause.
 */
export async function gatherEvidence({ installation, receivers }: Witnesses, since = ''): Promise<Evidence> {
  const received = [...receivers.receiver.received]
  const taken = readAcceptances(installation.simulatorDir, since)
  const records = await readRecords(installation.owner)
  const { transactions, histories, references } = readTransactions(installation.simulatorDir, since)
  const acceptances = taken.map((entry) => ({
    ...entry,
    reference: references.get(keyOf(entry)) ?? entry.reference,
  }))
  // A refund from the dashboard has no reference of ours at the provider, and is matched by its id.
  const refunds = records.refunds.map((refund) => ({
    ...refund,
    reference:
      (refund.foreignRef === null
        ? undefined
        : references.get(keyOf({ provider: refund.provider, providerRef: refund.foreignRef }))) ??
      refund.reference,
  }))
  const theirDisputes = readDisputes(installation.simulatorDir)
  return { ...records, refunds, received, acceptances, transactions, histories, theirDisputes }
}

type Records = Omit<Evidence, 'received' | 'acceptances' | 'transactions' | 'histories' | 'theirDisputes'>

/** Reads everything in one snapshot. */
async function readRecords(owner: Witnesses['installation']['owner']): Promise<Records> {
  const client = await owner.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const records = await readTables(client)
    await client.query('commit')
    client.release()
    return records
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function readTables(client: PoolClient): Promise<Records> {
  const rows = async <Row extends object>(text: string): Promise<Row[]> =>
    (await client.query<Row>(text)).rows
  return {
    payments: await rows<PaymentRow>(`
      select org_id as "orgId", payment_id as "paymentId", status, direction, provider,
             status = 'refunded' and failure_code is not null as "isTakenBack",
             client_reference as "clientReference", created_at as "createdAt", updated_at as "updatedAt"
      from payments`),
    attempts: await rows<AttemptRow>(`
      select payment_id as "paymentId", attempt_no as "attemptNo", provider, reference, state,
             outcome_code as "outcomeCode", outcome_message as "outcomeMessage",
             created_at as "createdAt", ${firstKnown} as "knownAt"
      from attempts a order by payment_id, attempt_no`),
    refunds: await rows<RefundRow>(
      `select payment_id as "paymentId", refund_id as "refundId", reference, provider, state,
              case origin when 'provider' then provider_ref end as "foreignRef", excess_minor > 0 as "isExcess",
              created_at as "createdAt"
       from refunds`,
    ),
    disputes: await rows<DisputeRow>(
      `select dispute_id as "disputeId", provider, provider_ref as "providerRef", state, moves from disputes`,
    ),
    bulk: await readBatches(client),
    events: await rows<EventRow>(`
      select org_id as "orgId", event_id as "eventId", event_type as "eventType", resource_id as "paymentId",
             created_at as "createdAt"
      from events`),
    deliveries: await rows<DeliveryRow>(
      `select event_id as "eventId", webhook_id as "webhookId", status from deliveries`,
    ),
    exceptions: await rows<ExceptionRow>(
      `select payment_id as "paymentId", kind from exceptions where status = 'open'`,
    ),
    outbox: await rows(`select service, attempts, due_at <= now() as "isDue" from outbox`),
    processedTwice: await rows(`
      select payment_id as "paymentId", dedupe_key as "dedupeKey" from inbox
      group by org_id, provider, payment_id, dedupe_key having count(*) > 1`),
    rewrittenEntries: (await rows<{ entry: string }>('select entry from crash_rewritten')).map(
      ({ entry }) => entry,
    ),
    providerBalances: await readProviderBalances(client),
  }
}

/** Installs triggers that record every change to the append-only ledger. */
export async function watchLedger(owner: Pool): Promise<void> {
  await owner.query(`
    create table crash_rewritten (entry text not null);
    grant insert on crash_rewritten to switchyard_app, switchyard_system;
    create function crash_note() returns trigger language plpgsql as $$
    begin
      insert into crash_rewritten values (tg_op || ' ' || old::text);
      return coalesce(new, old);
    end $$;
    create trigger crash_note before update or delete on ledger_transfers for each row execute function crash_note()`)
}

/** Without what providers charge: the simulator's transactions are what customers paid and recipients got. */
async function readProviderBalances(client: PoolClient): Promise<Map<string, bigint>> {
  const { rows } = await client.query<{ provider: string; currency: string; minor: string }>(`
    select split_part(account, ':', 2) as provider, currency, sum(minor)::text as minor from (
      select kind, debit_account as account, currency, amount_minor as minor
      from ledger_transfers where phase in ('posted', 'post')
      union all
      select kind, credit_account, currency, -amount_minor from ledger_transfers where phase in ('posted', 'post')
    ) sides where account like 'provider:%' and split_part(account, ':', 2) <> 'manual' and kind <> 'provider.cost'
      and kind not like 'dispute.%'
    group by 1, 2`)
  return new Map(rows.map(({ provider, currency, minor }) => [`${provider} ${currency}`, BigInt(minor)]))
}

const acceptance = z.object({
  kind: z.string(),
  reference: z.string(),
  provider: z.string(),
  providerRef: z.string(),
  at: z.string(),
})
const stored = z.object({ value: transactionSchema })

const keyOf = ({ provider, providerRef }: { provider: string; providerRef: string }): string =>
  `${provider} ${providerRef}`

/** Reads the journal that the simulator writes before it answers. */
const readAcceptances = (directory: string, since: string): Acceptance[] =>
  [...readJournal(join(directory, 'acceptances.jsonl'))]
    .map((line) => acceptance.parse(line))
    .filter(({ at }) => at >= since)

type Known = Pick<Evidence, 'transactions' | 'histories'> & {
  /** Our reference, by provider and the provider's reference. */
  references: Map<string, string>
}

/** The providers' statements, as people read them. */
export const readStatements = (directory: string): Evidence['transactions'] =>
  readTransactions(directory, '').transactions

function readTransactions(directory: string, since: string): Known {
  const transactions = new Map<string, Transaction>()
  const histories = new Map<string, Set<string>>()
  const references = new Map<string, string>()
  for (const name of readdirSync(directory).filter((file) => file.endsWith('-transactions.jsonl')))
    for (const line of readJournal(join(directory, name))) {
      const { value } = stored.parse(line)
      if (value.createdAt < since) continue
      const reference = ourReference(value)
      references.set(keyOf(value), reference)
      transactions.set(reference, value)
      histories.set(reference, (histories.get(reference) ?? new Set()).add(value.state))
    }
  return { transactions, histories, references }
}

const storedDispute = z.object({ value: disputeSchema })

function readDisputes(directory: string): Map<string, Dispute> {
  const disputes = new Map<string, Dispute>()
  for (const name of readdirSync(directory).filter((file) => file.endsWith('-disputes.jsonl')))
    for (const line of readJournal(join(directory, name))) {
      const { value } = storedDispute.parse(line)
      disputes.set(`${name.replace('-disputes.jsonl', '')} ${value.id}`, value)
    }
  return disputes
}

const addressed = z.object({ resultUrl: z.url() })

/** Daraja's prompts and reversals have no field for our reference, so it is part of the result URL. */
function ourReference({ reference, details }: Transaction): string {
  const url = addressed.safeParse(details).data?.resultUrl
  return (url !== undefined && new URL(url).searchParams.get('reference')) || reference
}
