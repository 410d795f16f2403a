import type { Pool } from 'pg'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { between, type Chance } from '../shared/chance.ts'
import { createPayee, fieldOf, paymentOf, type Gang } from './gang.ts'
import type { Violation } from './judges/judge.ts'
import * as requests from './requests.ts'

/** What the honest organisation knows that it did. */
type Expected = {
  /** By payment; `open` payments were never paid by anybody. */
  readonly payments: Map<string, 'completed' | 'open'>
  /** In minor units, by `available` or `va:…` and currency. */
  readonly balances: Map<string, bigint>
}
type Actual = {
  readonly payments: ReadonlyMap<string, string>
  readonly balances: ReadonlyMap<string, bigint>
}

export type HonestBusiness = {
  readonly expected: Expected
  /** One payin and one payout. */
  trade(chance: Chance): Promise<void>
  /** Waits until its own payments are settled, then compares. */
  problems(): Promise<Violation[]>
}

const settleMs = 90_000
const kes = requests.corridors.KE
const minorPerUnit = 100n

/** Does a little business, so that there is something to steal. */
export async function startHonestBusiness(gang: Gang, canary: string): Promise<HonestBusiness> {
  const expected: Expected = { payments: new Map(), balances: new Map() }
  const book = (account: string, currency: string, units: number): void => {
    const key = `${account} ${currency}`
    expected.balances.set(key, (expected.balances.get(key) ?? 0n) + BigInt(units) * minorPerUnit)
  }
  const payee = await createPayee(gang, { ...requests.momoPayee(kes), lname: canary })
  const begin = async (body: object, outcome: 'completed' | 'open'): Promise<void> => {
    const heard = await gang.ask({ method: 'POST', path: '/v1/payments-init/initiate', body })
    const id = paymentOf(heard)
    if (id === undefined) throw new Error(`the honest payment was refused: ${heard.status} ${heard.text}`)
    expected.payments.set(id, outcome)
  }
  const settled = () => untilSettled(gang.installation.owner, expected)
  const description = canary
  await begin(requests.momoPayin(kes, { amount: 5_000, description }), 'completed')
  book('available', 'KES', 5_000)
  await begin(
    requests.momoPayin(requests.corridors.UG, { amount: 40_000, description }, requests.staysPending),
    'open',
  )
  await settled()
  const accountId = await openFundedAccount(gang, 700_000)
  book(`va:${accountId}`, 'NGN', 700_000)
  return {
    expected,
    async trade(chance) {
      const amount = between(chance, 2, 9) * 100
      await begin(requests.momoPayin(kes, { amount, description }), 'completed')
      book('available', 'KES', amount)
      await settled()
      await begin(
        requests.momoPayout(kes, { amount: 100, description }, { beneficiaryId: payee }),
        'completed',
      )
      book('available', 'KES', -100)
    },
    async problems() {
      await settled().catch(() => undefined)
      return honestChanged(expected, await readActual(gang.installation.owner, gang.org.orgId))
    },
  }
}

async function openFundedAccount(gang: Gang, units: number): Promise<string> {
  const heard = await gang.ask({
    method: 'POST',
    path: '/v1/virtual-accounts/internal/bank',
    body: { org_id: gang.org.orgId, user_id: gang.org.admin.userId, currency: 'NGN' },
  })
  const accountId = fieldOf(heard, 'account_id')
  const [number] = gang.notebook.all('account_number')
  if (accountId === undefined || number === undefined)
    throw new Error(`the honest organisation got no account: ${heard.status} ${heard.text}`)
  await fetch(`${gang.installation.simulatorUrl}/paystack/_bank/deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_number: number, amount: units * Number(minorPerUnit) }),
  })
  return accountId
}

async function untilSettled(owner: Pool, { payments }: Expected): Promise<void> {
  const wanted = [...payments].filter(([, outcome]) => outcome === 'completed').map(([id]) => id)
  await waitUntil(
    async () => {
      const { rowCount } = await owner.query(
        `select from payments where payment_id = any($1) and status in ('initiated', 'processing', 'pending')`,
        [wanted],
      )
      return rowCount === 0
    },
    { what: 'the honest payments are settled', timeoutMs: settleMs },
  )
}

async function readActual(owner: Pool, orgId: string): Promise<Actual> {
  const payments = await owner.query<{ id: string; status: string }>(
    'select payment_id as id, status from payments where org_id = $1',
    [orgId],
  )
  const balances = await owner.query<{ key: string; minor: string }>(
    `select account || ' ' || currency as key, sum(minor)::text as minor from (
       select debit_account as account, currency,
              case phase when 'posted' then -amount_minor when 'pending' then -amount_minor
              when 'void' then amount_minor else 0 end as minor from ledger_transfers where org_id = $1
       union all
       select credit_account, currency, case when phase in ('posted', 'post') then amount_minor else 0 end
       from ledger_transfers where org_id = $1
     ) sides where account in ('available', 'available:own') or account like 'va:%' group by account, currency`,
    [orgId],
  )
  return {
    payments: new Map(payments.rows.map(({ id, status }) => [id, status])),
    balances: new Map(balances.rows.map(({ key, minor }) => [key, BigInt(minor)])),
  }
}

const openStatuses = ['initiated', 'processing', 'pending']

/** Nobody else's balance or payment changed: the organisation has exactly what it knows of. */
export function honestChanged(expected: Expected, actual: Actual): Violation[] {
  const of = (subject: string, problem: string): Violation => ({ judge: 'honest changed', subject, problem })
  const payments = [...actual.payments].flatMap(([id, status]) => {
    const outcome = expected.payments.get(id)
    if (outcome === undefined) return [of(id, `a payment that it did not make is ${status}`)]
    const isAsExpected = outcome === 'open' ? openStatuses.includes(status) : status === outcome
    return isAsExpected ? [] : [of(id, `its payment is ${status} instead of ${outcome}`)]
  })
  const missing = [...expected.payments.keys()]
    .filter((id) => !actual.payments.has(id))
    .map((id) => of(id, 'its payment is gone'))
  const keys = new Set([...expected.balances.keys(), ...actual.balances.keys()])
  const balances = [...keys].flatMap((key) => {
    const [wanted, found] = [expected.balances.get(key) ?? 0n, actual.balances.get(key) ?? 0n]
    return wanted === found ? [] : [of(key, `its balance is ${found} instead of ${wanted}`)]
  })
  return [...payments, ...missing, ...balances]
}
