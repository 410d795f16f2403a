import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { ProviderTransaction } from '../../../connectors/kit/lists.ts'
import type { ProviderRefund } from '../../../connectors/kit/refunds.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { newId } from '../../../lib/ids.ts'
import { createTestClock, installationAccountId, usePayments } from '../../../../test/worlds/test-payments.ts'
import { compareAccount, settlingMs, type InStep } from './compare-account.ts'
import { findAttempts, findKnownElsewhere } from './match-transactions.ts'
import type { Account, Difference, ReconciliationDeps } from './record.ts'
import { comparedNightlyMs, longestLookBackMs, totalOf } from './rules.ts'
import { reviewOlder } from './review-older.ts'
import { findReviewPosition } from './store.ts'

/** What a comparison reads and matches, with rows in place of payments and a list in place of a provider. */
const dayMs = 24 * 60 * 60_000
const clock = createTestClock()
const t = usePayments({ clock })
let account: Account
beforeEach(() => {
  account = { ownerId: newId(), accountId: newId(), provider: 'paystack' }
})

interface Row {
  paymentId: string
  reference: string
}
/** A completed payin of 10.00 NGN. */
async function completed(providerRef: string | null, createdAt = clock.now()): Promise<Row> {
  const [paymentId, reference] = [newId(), randomUUID()]
  const ids = [account.ownerId, paymentId, createdAt]
  await t.owner.query(
    `insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
       target_currency, target_amount_minor, status, version, private_sealed, routing, request_id, created_at, updated_at)
     values ($1, $2, 'u', 'inbound', 'card', 'NG', 'NGN', 1000, 'NGN', 1000, 'completed', 3, '', '{}', 'fill', $3, $3)`,
    ids,
  )
  await t.owner.query(
    `insert into attempts (org_id, payment_id, attempt_no, provider, account_id, custody, config_id, reference, state,
       provider_ref, deadline_at, created_at, updated_at)
     values ($1, $2, 1, 'paystack', $4, 'pooled', gen_random_uuid(), $5, 'succeeded', $6, $3, $3, $3)`,
    [...ids, account.accountId, reference, providerRef],
  )
  return { paymentId, reference }
}

const listed = (change: Partial<ProviderTransaction> = {}): ProviderTransaction => ({
  reference: null,
  providerRef: 'unheard-of',
  direction: 'payin',
  amount: { amountMinor: 1_000n, currency: 'NGN' },
  providerStatus: 'success',
  state: { state: 'completed' },
  createdAt: new Date(clock.now().getTime() - 2 * settlingMs),
  ...change,
})

/** The connectors as they are, but for their lists. */
async function listing(lists: Partial<Connector> | undefined): Promise<ReconciliationDeps> {
  const accountId = await installationAccountId(t, 'paystack')
  const paystack = await t.deps.connectors.load(installationOrgId, accountId)
  if (!paystack) throw new Error('paystack is seeded')
  const load = () => Promise.resolve(lists && { ...paystack, listRefunds: undefined, ...lists })
  return { ...t.deps, connectors: { ...t.deps.connectors, load } }
}

async function compareTo(lists: Partial<Connector> | undefined, inStep?: InStep) {
  const found: Difference[] = []
  const result = await compareAccount(await listing(lists), account, {
    since: new Date(clock.now().getTime() - dayMs),
    settle(differences) {
      found.push(...differences)
      return Promise.resolve(differences.map(({ finding }) => finding.reference))
    },
    ...(inStep && { inStep }),
  })
  return {
    ...result,
    found: found.map(({ orgId, finding }) => `${orgId} ${finding.kind} ${finding.reference}`),
  }
}
const page = (transactions: ProviderTransaction[], nextCursor: string | null = null) =>
  Promise.resolve({ transactions, nextCursor })

describe('a comparison', () => {
  it('reads a long list in several steps, each of which is done once', async () => {
    const pages = 201
    const listTransactions = (_since: Date, cursor: string | null) => {
      const number = Number(cursor ?? 0)
      return page([listed({ providerRef: `p${number}` })], number === pages - 1 ? null : String(number + 1))
    }
    const kept = new Map<string, unknown>()
    const names: string[] = []
    const inStep: InStep = async <T>(name: string, work: () => Promise<T>) => {
      names.push(name)
      if (!kept.has(name)) kept.set(name, JSON.parse(JSON.stringify((await work()) ?? null)))
      return kept.get(name) as T // what the step returned before
    }
    const first = await compareTo({ listTransactions }, inStep)
    expect(names).toEqual(['begin', 'list 0', 'list 1', 'compare', 'purge'])
    expect([...first.checked]).toEqual([[account.ownerId, pages]])
    expect(first.settled).toHaveLength(pages)
    expect(new Set(first.found).size).toBe(pages)
    // The engine repeats it after a crash, and the steps that are done are not done again.
    const again = await compareTo({ listTransactions: () => page([]) }, inStep)
    expect([totalOf(again.checked), again.settled, again.found]).toEqual([pages, first.settled, []])
  })

  it('ends if a list does not, after a thousand steps', async () => {
    let steps = 0
    const inStep: InStep = <T>(name: string, work: () => Promise<T>) => {
      if (!name.startsWith('list')) return work()
      steps++
      const read = { checked: [], settled: [], progress: { cursor: 'more', recorded: 0 } }
      return Promise.resolve(read as T) // what such a step returns
    }
    await expect(compareTo({ listTransactions: () => page([], 'more') }, inStep)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('has no end'),
    })
    expect(steps).toBe(1_000)
  })

  it('reads no rows of others for an organisation’s own account, even if they name it', async () => {
    const old = new Date(clock.now().getTime() - 2 * settlingMs)
    const { ownerId } = account
    account.ownerId = newId()
    const { reference } = await completed('theirs', old)
    account.ownerId = ownerId
    const { found } = await compareTo({ listTransactions: () => page([listed({ reference })]) })
    expect(found).toEqual([`${ownerId} missing_here ${reference}`])
  })

  it('matches by our reference, else by the provider’s, and leaves nothing behind', async () => {
    const old = new Date(clock.now().getTime() - 2 * settlingMs)
    const [one, other] = [await completed('theirs one', old), await completed('theirs other', old)]
    const result = await compareTo({
      listTransactions: () =>
        page([
          listed({ reference: one.reference, providerRef: 'another name' }),
          listed({ providerRef: 'theirs other' }),
        ]),
    })
    expect([totalOf(result.checked), result.found]).toEqual([2, []])
    const missing = await compareTo({ listTransactions: () => page([]) })
    expect(missing.found.toSorted()).toEqual(
      [one, other].map(({ reference }) => `${account.ownerId} missing_there ${reference}`).toSorted(),
    )
    expect((await t.owner.query('select from listed_transactions')).rowCount).toBe(0)
  })

  it('needs a provider that lists its transactions', async () => {
    for (const lists of [undefined, { listTransactions: undefined }] as const)
      await expect(compareTo(lists as Partial<Connector>)).rejects.toMatchObject({ status: 409 })
  })

  it('finds refunds that ended otherwise, also of payments that nobody knows', async () => {
    const { reference } = await completed('theirs', new Date(clock.now().getTime() - 2 * settlingMs))
    const refund = (providerRef: string, change: Partial<ProviderRefund> = {}): ProviderRefund => ({
      providerRef,
      reference: null,
      refundOf: { reference: null, providerRef: null },
      amount: { amountMinor: 100n, currency: 'NGN' },
      providerStatus: 'done',
      state: { state: 'completed' },
      ...change,
    })
    const lists = {
      listTransactions: () => page([listed({ reference })]),
      listRefunds: () =>
        Promise.resolve([
          refund('re_unknown', { reference: 'no uuid' }),
          refund('re_by_reference', { refundOf: { reference, providerRef: null } }),
          refund('re_by_ref', { refundOf: { reference: null, providerRef: 'theirs' } }),
          refund('re_under_way', { state: { state: 'processing' } }),
        ]),
    }
    const { found, checked } = await compareTo(lists)
    expect(found).toEqual(
      ['missing_here re_unknown', 'refund_missed re_by_reference', 'refund_missed re_by_ref'].map(
        (finding) => `${account.ownerId} ${finding}`,
      ),
    )
    expect(totalOf(checked)).toBe(4)
  })

  it('knows its own refunds by either name', async () => {
    const old = new Date(clock.now().getTime() - 2 * settlingMs)
    const { paymentId, reference } = await completed('theirs', old)
    const own = [
      { reference: randomUUID(), providerRef: null },
      { reference: randomUUID(), providerRef: 're_known' },
    ]
    for (const one of own)
      await t.owner.query(
        `insert into refunds (org_id, refund_id, payment_id, amount_minor, currency, origin, debit_minor, debit_currency,
           excess_minor, reason, state, reference, provider_ref, provider, account_id, custody, user_id, version)
         values ($1, gen_random_uuid(), $2, 100, 'NGN', 'api', 100, 'NGN', 0, 'r', 'completed', $3, $4, 'paystack', $5, 'pooled', 'u', 1)`,
        [account.ownerId, paymentId, one.reference, one.providerRef, account.accountId],
      )
    const named = (providerRef: string, of: string | null): ProviderRefund => ({
      providerRef,
      reference: of,
      refundOf: { reference, providerRef: null },
      amount: undefined,
      providerStatus: 'done',
      state: { state: 'completed' },
    })
    const refunds = [named('re_new', own[0]?.reference ?? ''), named('re_known', null)]
    const lists = {
      listTransactions: () => page([listed({ reference })]),
      listRefunds: () => Promise.resolve(refunds),
    }
    expect((await compareTo(lists)).found).toEqual([])
  })
})

describe('a transaction', () => {
  it('belongs to an attempt that is a week older than the list, and to no older one', async () => {
    const since = clock.now()
    const weekAgo = since.getTime() - 7 * dayMs
    await completed('a week old', new Date(weekAgo))
    await completed('too old', new Date(weekAgo - 1))
    const transactions = ['a week old', 'too old'].map((providerRef) => listed({ providerRef }))
    const found = await t.deps.db.acrossOrgs((tx) => findAttempts(tx, account, { since, transactions }))
    expect(transactions.map((one) => found.get(one)?.providerRef)).toEqual(['a week old', undefined])
  })

  it('is known if it is a leg of a ramp, by either name', async () => {
    const reference = randomUUID()
    await t.owner.query(
      `insert into ramp_legs (org_id, payment_id, leg_no, kind, provider, config_id, account_id, custody, method, currency,
         amount_minor, reference, state, provider_ref, deadline_at)
       values ($1, $2, 1, 'collection', 'paystack', gen_random_uuid(), $3, 'pooled', 'bank_transfer', 'NGN', 100, $4,
         'succeeded', 'leg', now())`,
      [account.ownerId, newId(), account.accountId, reference],
    )
    const [byReference, byName, stranger] = [
      listed({ reference, providerRef: 'new name' }),
      listed({ providerRef: 'leg' }),
      listed({ reference: randomUUID() }),
    ]
    const known = async (...transactions: ProviderTransaction[]): Promise<ProviderTransaction[]> => [
      ...(await t.deps.db.acrossOrgs((tx) => findKnownElsewhere(tx, account, transactions))),
    ]
    expect(await known(byReference, byName, stranger)).toEqual([byReference, byName])
    expect(await known(byName)).toEqual([byName])
    expect(await known(stranger)).toEqual([])
  })
})

describe('the review of older payments', () => {
  const reached = async (): Promise<number | undefined> =>
    (
      await t.deps.db.acrossOrgs((tx) => findReviewPosition(tx, account.ownerId, account.accountId))
    )?.getTime()

  const review = async (): Promise<string> => {
    const deps = await listing({
      inquire: () => Promise.resolve({ kind: 'unknown', reason: 'asked' }),
    })
    return reviewOlder(deps, account)
  }
  it('goes on a day at a time from the oldest, and begins again when it is done', async () => {
    const nowMs = clock.now().getTime()
    const oldest = nowMs - longestLookBackMs
    expect(await review()).toBe('more')
    expect((await reached()) ?? 0).toBeGreaterThanOrEqual(oldest + dayMs)
    expect((await reached()) ?? 0).toBeLessThan(oldest + dayMs + 60_000)
    const first = (await reached()) ?? 0
    expect(await review()).toBe('more')
    expect(await reached()).toBe(first + dayMs)
    await t.owner.query(`update reconciliation_reviews set reviewed_until = $2 where account_id = $1`, [
      account.accountId,
      new Date(nowMs - comparedNightlyMs - dayMs / 2),
    ])
    expect(await review()).toBe('done')
    expect((await reached()) ?? 0).toBeLessThan(oldest + 60_000)
  })

  it('that stopped months ago does not go back further than it must', async () => {
    await t.owner.query(
      `insert into reconciliation_reviews (org_id, account_id, reviewed_until) values ($1, $2, $3)`,
      [account.ownerId, account.accountId, new Date(clock.now().getTime() - 2 * longestLookBackMs)],
    )
    expect(await review()).toBe('more')
    expect((await reached()) ?? 0).toBeGreaterThanOrEqual(clock.now().getTime() - longestLookBackMs)
  })

  it('of a full day continues just before the last payment, because others may share its moment', async () => {
    const oldest = clock.now().getTime() - longestLookBackMs
    const at = (ms: number) => new Date(oldest + 60_000 + ms)
    for (let n = 1; n <= 50; n++) await completed(`old ${n}`, at(n * 1_000))
    expect(await review()).toBe('more')
    expect(await reached()).toBe(at(50_000).getTime() - 1)
    // Fifty attempts of the same moment do not stop it.
    await t.owner.query('update attempts set created_at = $2 where account_id = $1', [
      account.accountId,
      at(50_000),
    ])
    expect(await review()).toBe('more')
    expect(await reached()).toBe(at(50_000).getTime())
  })
})
