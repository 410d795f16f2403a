import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, it } from 'vitest'
import type { ProviderTransaction } from '../../../connectors/kit/lists.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { newId } from '../../../lib/ids.ts'
import { installationAccountId, usePayments } from '../../../../test/worlds/test-payments.ts'
import { compareAccount } from './compare-account.ts'
import type { Account, Difference } from './record.ts'
import { totalOf } from './rules.ts'

/** `npm run reconciliation:scale` sets a million. */
const count = Number(process.env['LISTED_TRANSACTIONS'] ?? 20_000)
const pageSize = 500
const hourMs = 60 * 60_000
/** What may be in use beside the comparison's own pieces, after a collection of garbage. */
const retainedLimitMb = 8
const residentLimitMb = 200

const t = usePayments()
const orgId = newId()
const account: Account = { ownerId: orgId, accountId: newId(), provider: 'paystack' }
const since = new Date(Date.now() - 25 * hourMs)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // the flag defines it

/** Some objects are freed only by the collection that follows their finalizers. */
async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 3; round++) {
    collectGarbage()
    await delay(20)
  }
  return process.memoryUsage()
}

/** As Postgres makes it: md5('attempt' || n)::uuid. */
const referenceOf = (n: number): string => {
  const hex = createHash('md5').update(`attempt${n}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

beforeAll(async () => {
  const chunk = 100_000
  for (let from = 1; from <= count; from += chunk) {
    const bounds = [orgId, from, Math.min(from + chunk - 1, count), since]
    await t.owner.query(
      `insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
         target_currency, target_amount_minor, status, version, private_sealed, routing, request_id, created_at, updated_at)
       select $1, md5('payment' || n)::uuid, 'u', 'inbound', 'card', 'NG', 'NGN', 1000, 'NGN', 1000, 'completed', 3, '',
         '{}', 'fill', $4::timestamptz + n * interval '24 hours' / ${count}, $4::timestamptz + n * interval '24 hours' / ${count}
       from generate_series($2::int, $3::int) n`,
      bounds,
    )
    await t.owner.query(
      `insert into attempts (org_id, payment_id, attempt_no, provider, account_id, custody, config_id, reference, state,
         provider_ref, deadline_at, created_at, updated_at)
       select $1, md5('payment' || n)::uuid, 1, 'paystack', '${account.accountId}', 'pooled', md5('config')::uuid,
         md5('attempt' || n)::uuid, 'succeeded', 'ref_' || n, moment, moment, moment
       from generate_series($2::int, $3::int) n
       cross join lateral (select $4::timestamptz + n * interval '24 hours' / ${count} as moment) at`,
      bounds,
    )
  }
  await t.owner.query('analyze payments, attempts')
}, 600_000)

const [paidTwice, triedTwice, absent, dearer] = [7, 11, 13, 17]

function transaction(n: number, change: Partial<ProviderTransaction> = {}): ProviderTransaction {
  return {
    reference: referenceOf(n),
    providerRef: `ref_${n}`,
    direction: 'payin',
    amount: { amountMinor: n === dearer ? 2_000n : 1_000n, currency: 'NGN' },
    providerStatus: 'success',
    state: { state: 'completed' },
    createdAt: since,
    ...change,
  }
}

/** The transactions of one attempt are at both ends of the list. */
function pageOf(page: number, isLast: boolean): ProviderTransaction[] {
  const numbers = Array.from({ length: pageSize }, (_, index) => page * pageSize + index + 1)
  const listed = numbers.filter((n) => n <= count && n !== absent).map((n) => transaction(n))
  if (page === 0)
    return listed.map((one) =>
      one.providerRef === `ref_${triedTwice}` ? { ...one, state: { state: 'canceled' } } : one,
    )
  if (!isLast) return listed
  const unknown = transaction(0, { reference: null, providerRef: 'unheard-of' })
  return [...listed, transaction(paidTwice), transaction(triedTwice), unknown]
}

it(`compares ${count} transactions in pieces, and finds the four that differ`, async () => {
  const megabytes = (bytes: number): number => bytes / 1024 / 1024
  const pages = Math.ceil(count / pageSize)
  const before = await settledMemory()
  let retained = 0
  let resident = 0
  const listTransactions = async (_since: Date, cursor: string | null) => {
    const page = Number(cursor ?? 0)
    const isLast = page === pages - 1
    if (isLast || page % Math.ceil(pages / 3) === 0) {
      const { heapUsed } = await settledMemory()
      retained = Math.max(retained, megabytes(heapUsed - before.heapUsed))
    }
    return { transactions: pageOf(page, isLast), nextCursor: isLast ? null : String(page + 1) }
  }
  const sampling = setInterval(() => {
    resident = Math.max(resident, megabytes(process.memoryUsage().rss - before.rss))
  }, 50)
  const paystack = await installationAccountId(t, account.provider)
  const connector = await t.deps.connectors.load(installationOrgId, paystack)
  const found: Difference[] = []
  const startedAt = performance.now()
  const load = () => Promise.resolve({ ...connector!, listTransactions })
  const { checked } = await compareAccount(
    { ...t.deps, connectors: { ...t.deps.connectors, load } },
    account,
    {
      since,
      async settle(differences) {
        found.push(...differences)
        return []
      },
    },
  )
  clearInterval(sampling)
  process.stdout.write(
    `${count} transactions: ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${retained.toFixed(1)} MB in use at most, resident ${resident.toFixed(0)} MB more than before\n`,
  )
  // Each attempt once, and the one that nobody knows.
  expect(totalOf(checked)).toBe(count + 1)
  expect(found.map(({ finding }) => `${finding.kind} ${finding.reference}`).toSorted()).toEqual(
    [
      'missing_here unheard-of',
      `missing_there ${referenceOf(absent)}`,
      `amount_differs ${referenceOf(paidTwice)}`,
      `amount_differs ${referenceOf(dearer)}`,
    ].toSorted(),
  )
  expect(retained).toBeLessThan(retainedLimitMb)
  expect(resident).toBeLessThan(residentLimitMb)
  const left = await t.owner.query('select from listed_transactions')
  expect(left.rowCount).toBe(0)
}, 3_600_000)
