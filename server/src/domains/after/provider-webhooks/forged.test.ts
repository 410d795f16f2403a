import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  createTestClock,
  ghanaianPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { insertInboxRow } from './store.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const paystackKey = 'sk_test_switchyard_sandbox'

async function paystackPath(): Promise<string> {
  const { body } = await t.call('GET', '/v1/payments/provider-credentials', {
    as: t.seed.platformAdmin.api_key,
  })
  const [account] = body.data.filter((row: Json) => row.provider === 'paystack')
  return new URL(account.webhook_url).pathname
}

const message = (reference: string, id: number): string =>
  JSON.stringify({
    event: 'charge.success',
    data: { id, status: 'success', reference, amount: 10_00, currency: 'GHS' },
  })
const post = (path: string, rawBody: string, key: string): Promise<CallAnswer> =>
  t.call('POST', path, {
    rawBody,
    headers: { 'x-paystack-signature': createHmac('sha512', key).update(rawBody).digest('hex') },
    unaudited: true,
  })

async function inboxRows(id: string, verdict: string): Promise<number> {
  const { rows } = await t.owner.query<{ count: string }>(
    'select count(*) from inbox where payment_id = $1 and verdict = $2',
    [id, verdict],
  )
  return Number(rows[0]?.count)
}

describe('a flood of forged messages about a payment', () => {
  it('leaves few rows, is refused with 429, and hides no genuine message', async () => {
    const id = await org.start(ghanaianPayin({ amount: 10, target_amount: 10 }))
    const [attempt] = await org.attempts(id)
    const { reference } = attempt.data
    const path = await paystackPath()
    const statuses: number[] = []
    for (let count = 0; count < 100; count++) {
      // The limit of forgeries per second refills, the limit per payment does not.
      if (count === 60) clock.pass(60_000)
      statuses.push((await post(path, message(reference, count), 'a key of the forger')).status)
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(70)
    expect(await inboxRows(id, 'forged')).toBe(20)
    expect((await post(path, message(reference, 1_000), paystackKey)).status).toBe(200)
    expect((await org.record(id)).status).toBe('completed')
  })
})

describe('the inbox of a payment', () => {
  it('keeps a bounded number of unsigned messages, and every verified one', async () => {
    const id = await org.start(ghanaianPayin({ amount: 10, target_amount: 10 }))
    const insert = (verdict: 'unsigned' | 'verified', count: number) =>
      t.deps.db.batchInOrg(org.orgId, [
        insertInboxRow(org.orgId, {
          provider: 'paystack',
          accountId: id,
          dedupeKey: `${id} ${verdict} ${count}`,
          reference: 'reference',
          paymentId: id,
          verdict,
          providerStatus: 'success',
          result: 'x',
        }),
      ])
    for (let count = 0; count < 100; count++) await insert('unsigned', count)
    await expect(insert('unsigned', 100)).rejects.toMatchObject({ code: 'SY018' })
    for (let count = 0; count < 101; count++) await insert('verified', count)
    expect(await inboxRows(id, 'unsigned')).toBe(100)
    expect(await inboxRows(id, 'verified')).toBe(101)
  })
})
