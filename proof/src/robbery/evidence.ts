import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { z } from 'zod'
import { readJournal } from '@switchyard/simulator/core/journal.ts'
import { transactionSchema, type Transaction } from '@switchyard/simulator/core/transaction.ts'
import { exponentOf } from '@switchyard/server/lib/money/money.ts'
import type { RobberyInstallation } from './installation.ts'
import { readPeople, type PeopleRecords } from './people-records.ts'
import { thiefWallet } from './requests.ts'

export type Money = { readonly currency: string; readonly minor: bigint }

/** An attempt, refund or ramp leg of ours: something that a provider was asked to carry. */
export type Movement = {
  readonly orgId: string
  readonly paymentId: string
  readonly kind: 'payin' | 'payout' | 'refund' | 'leg'
  /** For a leg: collection, delivery, refund or whole. */
  readonly legKind: string | null
  readonly provider: string
  readonly reference: string
  readonly state: string
  /** The account that carries it; null for the operator's wallet. */
  readonly accountId: string | null
  /** The custody of the account that carries it. */
  readonly custody: 'pooled' | 'own'
  /** What the organisation's balance is credited or debited with. */
  readonly booked: Money
  /** What the provider is asked to move. */
  readonly carried: Money
  readonly startedBy: string
}

/** What a virtual account was credited with in total. */
type Credit = {
  orgId: string
  accountId: string
  /** The account at the provider that opened it. */
  openedBy: string | null
  custody: 'pooled' | 'own'
} & Money
type Balance = { orgId: string; account: string } & Money
type Confirmation = {
  paymentId: string
  userId: string
  startedBy: string
  custody: 'pooled' | 'own' | null
}
type Message = {
  orgId: string
  accountId: string | null
  reference: string
  paymentId: string | null
  verdict: string
  result: string
}
type ExceptionRow = {
  orgId: string
  kind: string
  paymentId: string | null
  findingKey: string
  summary: string
}

export type Evidence = PeopleRecords & {
  /** What left the simulated providers, read before our records: whatever is in it has its record. */
  readonly sent: readonly Transaction[]
  readonly movements: readonly Movement[]
  readonly balances: readonly Balance[]
  readonly limits: readonly Balance[]
  readonly credits: readonly Credit[]
  readonly confirmations: readonly Confirmation[]
  readonly messages: readonly Message[]
  readonly exceptions: readonly ExceptionRow[]
  /** The amount of each transfer of tokens from the operator's wallet to the thief's, read before our records. */
  readonly tokens: readonly bigint[]
  /** All transactions of the simulated providers, read after our records. */
  readonly transactions: readonly Transaction[]
}

/** What left is read first and what arrived last; otherwise what happens between two reads would look like a theft. */
export async function gatherEvidence(installation: RobberyInstallation): Promise<Evidence> {
  const { owner, simulatorDir } = installation
  const sent = readTransactions(simulatorDir).filter(({ operation }) => operation !== 'collect')
  const tokens = await installation.tokensSentTo(thiefWallet)
  const records = await readRecords(owner)
  const people = await readPeople(installation)
  return { sent, tokens, ...records, ...people, transactions: readTransactions(simulatorDir) }
}

const journalLine = z.object({ value: transactionSchema })
const addressed = z.object({ resultUrl: z.url() })

/** The last state of each transaction in the simulator's append-only journals. */
function readTransactions(directory: string): Transaction[] {
  const latest = new Map<string, Transaction>()
  for (const name of readdirSync(directory).filter((file) => file.endsWith('-transactions.jsonl')))
    for (const line of readJournal(join(directory, name))) {
      const { value } = journalLine.parse(line)
      const transaction = { ...value, reference: ourReference(value) }
      latest.set(
        JSON.stringify([value.provider, value.account, value.operation, value.providerRef]),
        transaction,
      )
    }
  return [...latest.values()]
}

/** M-PESA's prompts have no field for our reference, so it is part of the result URL. */
function ourReference({ reference, details }: Transaction): string {
  const url = addressed.safeParse(details).data?.resultUrl
  return (url !== undefined && new URL(url).searchParams.get('reference')) || reference
}

/** A provider's decimal amount in minor units. */
export function minorOf({ amount, currency }: Pick<Transaction, 'amount' | 'currency'>): bigint {
  const digits = exponentOf(currency)
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(digits, '0').slice(0, digits))
}

type Records = Omit<Evidence, 'sent' | 'tokens' | 'transactions' | keyof PeopleRecords>
type Row = Record<string, string | null>

async function readRecords(owner: Pool): Promise<Records> {
  const rows = async (text: string): Promise<Row[]> => (await owner.query<Row>(text)).rows
  const [attempts, refunds, legs] = [await rows(attemptsSql), await rows(refundsSql), await rows(legsSql)]
  return {
    movements: [...attempts, ...refunds, ...legs].map(movementOf),
    balances: (await rows(balancesSql)).map(balanceOf),
    limits: (await rows(limitsSql)).map(balanceOf),
    credits: (await rows(creditsSql)).map(creditOf),
    confirmations: (await rows(confirmationsSql)) as Confirmation[], // as selected
    messages: (await rows(
      `select org_id as "orgId", account_id as "accountId", reference, payment_id as "paymentId", verdict, result
       from inbox`,
    )) as Message[], // as selected
    exceptions: (await rows(
      `select org_id as "orgId", kind, payment_id as "paymentId", finding_key as "findingKey", summary from exceptions`,
    )) as ExceptionRow[], // as selected
  }
}

const attemptsSql = `
  select a.org_id as "orgId", a.payment_id as "paymentId", null as "legKind", a.provider, a.reference, a.state,
         case p.direction when 'inbound' then 'payin' else 'payout' end as kind, a.custody, a.account_id as "accountId",
         case p.direction when 'inbound' then p.target_currency else p.currency end as "bookedCurrency",
         case p.direction when 'inbound' then p.target_amount_minor else p.amount_minor end::text as "bookedMinor",
         case p.direction when 'inbound' then p.currency else p.target_currency end as "carriedCurrency",
         case p.direction when 'inbound' then p.amount_minor else p.target_amount_minor end::text as "carriedMinor",
         p.user_id as "startedBy"
  from attempts a join payments p using (org_id, payment_id)`

const refundsSql = `
  select r.org_id as "orgId", r.payment_id as "paymentId", null as "legKind", r.provider, r.reference, r.state,
         'refund' as kind, r.custody, r.account_id as "accountId", p.target_currency as "bookedCurrency",
         round(r.amount_minor::numeric * p.target_amount_minor::numeric / p.amount_minor::numeric)::text as "bookedMinor",
         r.currency as "carriedCurrency", r.amount_minor::text as "carriedMinor", r.user_id as "startedBy"
  from refunds r join payments p using (org_id, payment_id)`

const legsSql = `
  select l.org_id as "orgId", l.payment_id as "paymentId", l.kind as "legKind", l.provider, l.reference, l.state,
         'leg' as kind, l.custody, l.account_id as "accountId", l.currency as "bookedCurrency", l.amount_minor::text as "bookedMinor",
         l.currency as "carriedCurrency", l.amount_minor::text as "carriedMinor", p.user_id as "startedBy"
  from ramp_legs l join payments p using (org_id, payment_id)`

const balancesSql = `
  select org_id as "orgId", account, currency, sum(minor)::text as minor from (
    select org_id, debit_account as account, currency,
           case phase when 'posted' then -amount_minor when 'pending' then -amount_minor when 'void' then amount_minor
           else 0 end as minor from ledger_transfers
    union all
    select org_id, credit_account, currency, case when phase in ('posted', 'post') then amount_minor else 0 end
    from ledger_transfers
  ) sides where account = 'available' or account like 'va:%' group by org_id, account, currency`

const limitsSql = `
  select org_id as "orgId", 'available' as account, currency, sum(minor)::text as minor from (
    select org_id, currency, limit_minor as minor from credit_limits
    union all select org_id, currency, amount_minor from ledger_transfers where kind in ('opening', 'payout.late')
  ) parts group by org_id, currency`

const creditsSql = `
  select t.org_id as "orgId", v.account_id as "accountId", 'available' as account, t.currency, v.custody,
         v.provider_account_id as "openedBy",
         sum(t.amount_minor)::text as minor
  from ledger_transfers t join virtual_accounts v on v.org_id = t.org_id and t.credit_account = 'va:' || v.account_id
  where t.debit_account like 'provider:%' and t.kind = 'va.deposit'
  group by t.org_id, v.account_id, t.currency, v.custody, v.provider_account_id`

const confirmationsSql = `
  select l.resource_id as "paymentId", l.user_id as "userId", p.user_id as "startedBy",
         (select a.custody from attempts a where a.payment_id = p.payment_id and a.provider = 'manual'
          order by a.attempt_no desc limit 1) as custody
  from audit_log l join payments p on p.payment_id::text = l.resource_id
  where l.action = 'payment.confirm' and l.after->>'outcome' = 'completed'`

const moneyOf = (row: Row): Money => ({ currency: row['currency'] ?? '', minor: BigInt(row['minor'] ?? '0') })

const balanceOf = (row: Row): Balance => ({
  orgId: row['orgId'] ?? '',
  account: row['account'] ?? '',
  ...moneyOf(row),
})

const creditOf = (row: Row): Credit => ({
  ...(row as Omit<Credit, keyof Money>), // as selected
  ...moneyOf(row),
})

function movementOf({ bookedCurrency, bookedMinor, carriedCurrency, carriedMinor, ...row }: Row): Movement {
  const booked = { currency: bookedCurrency ?? '', minor: BigInt(bookedMinor ?? '0') }
  const carried = { currency: carriedCurrency ?? '', minor: BigInt(carriedMinor ?? '0') }
  return { ...(row as Omit<Movement, 'booked' | 'carried'>), booked, carried } // as selected
}
