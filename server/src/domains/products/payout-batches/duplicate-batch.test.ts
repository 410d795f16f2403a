import { beforeEach, describe, expect, it } from 'vitest'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { nairaRows, openBatches, type BatchOrg } from './testing/test-batches.ts'

/** The same file, uploaded a second time without an Idempotency-Key. */
const hourMs = 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: BatchOrg
let rows: Json[]
beforeEach(async () => {
  org = await openBatches(t)
  rows = nairaRows(org.banked, 3)
})

const upload = (of: Json[], change: object = {}): Promise<CallAnswer> => org.post({ rows: of, ...change })
const uploaded = async (of: Json[], change: object = {}): Promise<string> => {
  const answer = await upload(of, change)
  expect(answer.status).toBe(201)
  return answer.body.data.batch_id
}
const csvOf = (of: Json[]): string =>
  ['client_reference,beneficiary_id,amount,currency', ...of.map((row) => Object.values(row).join(','))].join(
    '\n',
  )
const uploadCsv = (of: Json[], query = ''): Promise<CallAnswer> =>
  t.call('POST', `/v1/payouts/batches${query}`, {
    as: org.staff.token,
    headers: { 'content-type': 'text/csv' },
    rawBody: csvOf(of),
  })
const stored = async (): Promise<number> => {
  const { rowCount } = await t.owner.query('select from payout_batches where org_id = $1', [org.orgId])
  return rowCount ?? 0
}

describe('409', () => {
  it('names the batch that has the same rows, and stores nothing', async () => {
    const first = await uploaded(rows)
    const second = await upload(rows)
    expect([second.status, second.body.code]).toEqual([409, 'DUPLICATE_BATCH'])
    expect(second.body.message).toContain(first)
    expect(second.body.message).toContain('allow_duplicate')
    expect(await stored()).toBe(1)
  })

  it('also when the rows come in another order, spelling or format, or from another member', async () => {
    const first = await uploaded(rows)
    const spelled = rows.map((row) => ({
      ...row,
      amount: '100.50',
      beneficiary_id: String(row['beneficiary_id']).toUpperCase(),
    }))
    expect((await upload(spelled.toReversed(), { description: 'again' })).body.message).toContain(first)
    expect((await uploadCsv(rows)).body.message).toContain(first)
    const byAdmin = await org.post({ rows }, { as: org.second.token })
    expect(byAdmin.body.message).toContain(first)
  })

  it('of two uploads at the same moment one is refused', async () => {
    const answers = await Promise.all([upload(rows), upload(rows)])
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([201, 409]))
  })
})

describe('201', () => {
  it('when it is allowed, in the body or in the query', async () => {
    await uploaded(rows)
    await uploaded(rows, { allow_duplicate: true })
    expect((await uploadCsv(rows, '?allow_duplicate=true')).status).toBe(201)
    expect(await stored()).toBe(3)
  })

  it('when the first batch was canceled', async () => {
    const first = await uploaded(rows)
    expect((await org.order(first, 'cancel')).status).toBe(200)
    await uploaded(rows)
  })

  it('when the second person rejected the first batch', async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 1 })
    const first = await uploaded(rows)
    expect((await org.order(first, 'reject', org.second)).status).toBe(200)
    await uploaded(rows)
  })

  it('when the first batch is a day old', async () => {
    await uploaded(rows)
    clock.pass(24 * hourMs - 60_000)
    expect((await upload(rows)).status).toBe(409)
    clock.pass(2 * 60_000)
    await uploaded(rows)
  })

  it.each<[string, object]>([
    ['amount', { amount: 100.51 }],
    ['reference', { client_reference: 'other' }],
    ['description', { description: 'March' }],
  ])('when one row has another %s', async (_field, change) => {
    await uploaded(rows)
    const other = await upload([{ ...rows[0], ...change }, ...rows.slice(1)])
    expect(other.status).toBe(201)
  })

  it('in another organisation with the same references', async () => {
    await uploaded(rows)
    const other = await openBatches(t)
    expect((await other.post({ rows: nairaRows(other.banked, 3) })).status).toBe(201)
  })

  it('a repeat with the same Idempotency-Key is answered with the first batch, also at the same moment', async () => {
    const headers = { 'idempotency-key': 'same' }
    const answers = await Promise.all([org.post({ rows }, { headers }), org.post({ rows }, { headers })])
    answers.push(await org.post({ rows }, { headers }))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.data.batch_id)).size).toBe(1)
    expect((await org.post({ rows }, { headers: { 'idempotency-key': 'another' } })).status).toBe(409)
  })
})

describe('200: the dry run', () => {
  it('names the batch with the same rows', async () => {
    expect(await org.dryRun(rows)).toMatchObject({ is_valid: true, duplicate_of: null })
    const first = await uploaded(rows)
    expect(await org.dryRun(rows)).toMatchObject({ is_valid: true, duplicate_of: first })
  })
})

describe('400', () => {
  it.each([{ allow_duplicate: 'yes' }, { allow_duplicate: 1 }])('%j', async (change) => {
    expect((await upload(rows, change)).status).toBe(400)
  })
})
