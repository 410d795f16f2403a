import { beforeEach, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import type { Json } from '../../../../test/app/test-app.ts'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import {
  bankTransferPayin,
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { openAccounts } from '../../../../test/worlds/test-accounts.ts'
import { queueAccounts } from './queue-accounts.ts'
import { reviewOlder } from './review-older.ts'
import { insertRun } from './store.ts'

/** What a provider does long after it has completed a payment, or while it could not be asked. */
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let account: { ownerId: string; accountId: string; provider: string }
beforeEach(async () => {
  org = await openPayments(t)
  const key = `sk_test_${randomUUID()}`
  t.simulator.configure('paystack', { account: key, secrets: { secret_key: key } })
  await org.ownAccount('paystack', { secretKey: key, baseUrl: `${t.simulator.url}/paystack` }, key)
  const { body } = await org.call('GET', '/v1/payments/provider-accounts?provider=paystack')
  const own = body.data.find((one: Json) => one.org_id === org.orgId)
  account = { ownerId: org.orgId, accountId: own.account_id, provider: 'paystack' }
})

const later = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
  clock.pass(ms)
  try {
    return await work()
  } finally {
    clock.pass(-ms)
  }
}
async function completed(): Promise<{ id: string; reference: string }> {
  const id = await org.start(bankTransferPayin())
  await t.simulator.settle()
  await org.advance(id)
  expect((await org.record(id)).status).toBe('completed')
  return { id, reference: (await org.attempts(id)).at(-1)?.data.reference }
}
const reviewAll = async (): Promise<void> => {
  let pieces = 0
  while (pieces++ < 200 && (await reviewOlder(t.deps, account)) === 'more');
}
const jobsOf = async (handler: string): Promise<Json[]> => {
  const { rows } = await t.owner.query(
    `select payload from outbox where service = 'Reconciliation' and handler = $1 and org_id = $2`,
    [handler, org.orgId],
  )
  return rows.map(({ payload }) => payload)
}

describe('a reversal that no webhook reports', () => {
  it.each([30 * hourMs, 60 * dayMs])('is found after %i ms, by the review of older payments', async (ms) => {
    const { id, reference } = await completed()
    await t.simulator.reverse('paystack', { reference, silently: true })
    await later(ms, reviewAll)
    expect(await org.record(id)).toMatchObject({ status: 'refunded', failure: { code: 'REVERSED' } })
    await assertAuditClean(t.owner)
  })

  it('is found although the payment was reviewed before', async () => {
    const { id, reference } = await completed()
    await later(30 * hourMs, reviewAll)
    await t.simulator.reverse('paystack', { reference, silently: true })
    await later(54 * hourMs, reviewAll)
    expect((await org.record(id)).status).toBe('refunded')
  })

  it('is found by the next night if a night ends before it', async () => {
    const { id, reference } = await completed()
    await t.simulator.reverse('paystack', { reference, silently: true })
    const pieces = (count: number) =>
      later(30 * hourMs, async () => {
        for (let piece = 0; piece < count; piece++) await reviewOlder(t.deps, account)
      })
    await pieces(80)
    expect((await org.record(id)).status).toBe('completed')
    await pieces(10)
    expect((await org.record(id)).status).toBe('refunded')
  })
})

describe('a comparison', () => {
  const ran = (status: 'completed' | 'failed', at: Date) =>
    t.deps.db.batchAcrossOrgs([
      insertRun(org.orgId, {
        runId: randomUUID(),
        provider: 'paystack',
        accountId: account.accountId,
        origin: 'nightly',
        requestedBy: null,
        since: at,
        status,
        checked: status === 'completed' ? 0 : null,
        findings: status === 'completed' ? 0 : null,
        startedAt: at,
        finishedAt: at,
      }),
    ])

  it('starts where the last good one ended', async () => {
    await completed()
    const [good, bad] = [new Date(clock.now()), new Date(clock.now().getTime() + dayMs)]
    await ran('completed', good)
    await ran('failed', bad)
    await later(7 * dayMs, () => queueAccounts(t.deps))
    const [{ since }] = await jobsOf('account')
    expect(new Date(since).getTime()).toBe(good.getTime() - 2 * hourMs)
    expect(await jobsOf('review')).toEqual([account])
  })
})

it('a booked deposit that the provider takes back is raised', async () => {
  const operator = t.seed.platformAdmin.api_key
  const bank = await openAccounts(t)
  const reference = await bank.deposit(await bank.open(), 12_300)
  await t.simulator.reverse('paystack', { reference: String(reference) })
  const since = new Date(Date.now() - hourMs).toISOString()
  const body = { provider: 'paystack', since }
  const compared = await later(11 * 60_000, () =>
    t.call('POST', '/v1/payments/reconciliation', { as: operator, body }),
  )
  expect(compared.body.data.findings).toContainEqual(
    expect.objectContaining({ kind: 'deposit_taken_back', summary: expect.stringContaining('123.00 NGN') }),
  )
})
