import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { bankBeneficiary, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { nairaRows, openBatches, type BatchOrg } from './testing/test-batches.ts'

const t = usePayments({ delayMs: untilSettled })
let org: BatchOrg
beforeAll(async () => {
  org = await openBatches(t)
})

const naira = (change: object = {}): Json => ({ ...nairaRows(org.banked, 1)[0], ...change })
const csvCall = { headers: { 'content-type': 'text/csv' } }
const stored = async (): Promise<number> => {
  const { rows } = await t.owner.query('select from payout_batches where org_id = $1', [org.orgId])
  return rows.length
}

describe('200: the dry run', () => {
  it('adds up amounts and fees per currency, and stores nothing', async () => {
    const fee = {
      org_id: org.orgId,
      label: 'Payouts',
      direction: 'payout',
      percent: 1,
      currency: 'NGN',
      fixed: 1,
    }
    await t.call('POST', '/v1/fees/schedules', { as: t.seed.platformAdmin.api_key, body: fee })
    const before = await stored()
    const mobile = { client_reference: 'm', beneficiary_id: org.mobile, amount: 5000, currency: 'UGX' }
    expect(await org.dryRun([...nairaRows(org.banked, 3), mobile])).toEqual({
      is_valid: true,
      needs_approval: false,
      duplicate_of: null,
      row_count: 4,
      totals: [
        { currency: 'NGN', rows: 3, amount: 301.5, fees: 6.03 },
        { currency: 'UGX', rows: 1, amount: 5000, fees: 0 },
      ],
      error_count: 0,
      errors: [],
    })
    expect(await stored()).toBe(before)
  })

  it('reports every error of every row at once', async () => {
    const wallet = await org.addBeneficiary(bankBeneficiary({ account_type: 'wallet' }))
    const unreachable = await org.addBeneficiary(
      bankBeneficiary({ country: 'JP', currency: 'JPY', bank_details: { account_number: '1234567' } }),
    )
    const { errors, is_valid, totals } = await org.dryRun([
      naira(),
      naira({ amount: 1.005, beneficiary_id: newId(), client_reference: 'r1' }),
      naira({ amount: -1, client_reference: 'b', currency: 'XXL' }),
      naira({ amount: '12', client_reference: 'c', currency: 'UGX', speed: 'fast' }),
      { amount: 'twelve' },
      naira({ client_reference: 'd', beneficiary_id: unreachable, currency: 'JPY', amount: 100 }),
      naira({ client_reference: 'e', beneficiary_id: wallet }),
    ])
    const found = errors.map(({ row, message }: Json) => `${row}: ${message}`)
    expect(found).toEqual([
      '2: client_reference is also in row 1.',
      '2: There is no such beneficiary (beneficiary_id).',
      '2: amount has more decimals than its currency has.',
      '3: amount must be a positive decimal number.',
      '3: currency must be a known ISO 4217 currency.',
      '4: speed is not a field of this request.',
      '4: currency is not the currency of the beneficiary, which is NGN.',
      '5: client_reference is required; it must be a text of 1 to 255 characters.',
      '5: beneficiary_id is required; it must be a UUID, such as 0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f.',
      '5: amount must be a positive decimal number.',
      '5: currency is required; it must be a text, such as NGN.',
      '6: No provider is configured to pay this amount in JPY to JP (amount).',
      '7: beneficiary_id is a wallet, which a batch cannot pay.',
    ])
    expect(is_valid).toBe(false)
    expect(totals).toMatchObject([{ rows: 1 }])
  })

  it('10,000 rows of which 300 are wrong: all are counted, and the first 100 listed', async () => {
    const copies = await org.copyBeneficiary(10_000)
    const wrong = [{ amount: 0 }, { beneficiary_id: newId() }, { currency: 'GBP' }]
    const rows = copies.map((id, index) => ({
      ...naira({ client_reference: `bulk-${index}`, beneficiary_id: id }),
      ...(index % 33 === 7 && index < 9_900 ? wrong[index % 3] : {}),
    }))
    const { errors, error_count, totals } = await org.dryRun(rows)
    expect(error_count).toBe(300)
    expect(errors.map(({ row }: Json) => row)).toEqual(
      Array.from({ length: 100 }, (_, index) => index * 33 + 8),
    )
    expect(totals).toMatchObject([{ currency: 'NGN', rows: 9_700 }])
  })
})

describe('201', () => {
  it('stores the batch with its rows, ready to be sent', async () => {
    const answer = await org.post({ description: 'March', rows: nairaRows(org.banked, 2) })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      status: 'approved',
      description: 'March',
      row_count: 2,
      created_by: org.staff.userId,
      decided_by: null,
      progress: { pending: 2, in_progress: 0, completed: 0, failed: 0, canceled: 0 },
    })
    expect(await org.rows(answer.body.data.batch_id)).toMatchObject([
      { row: 1, client_reference: 'r1', amount: 100.5, payment_method: 'bank_transfer', state: 'pending' },
      { row: 2, client_reference: 'r2', payment_id: null, payment_status: null },
    ])
  })

  it('takes the same columns as CSV', async () => {
    const rawBody = `client_reference,beneficiary_id,amount,currency,description\r\n"a,1",${org.banked},0012.50,NGN,"two\nlines"\r\n`
    const answer = await org.post(undefined, { ...csvCall, rawBody })
    expect(answer.status).toBe(201)
    expect(await org.rows(answer.body.data.batch_id)).toMatchObject([
      { client_reference: 'a,1', amount: 12.5, description: 'two\nlines' },
    ])
  })

  it('is stored once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newId() }
    const body = { rows: nairaRows(org.banked, 1) }
    const [first, second] = [await org.post(body, { headers }), await org.post(body, { headers })]
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body.data.batch_id).toBe(first.body.data.batch_id)
    const rawBody = `client_reference,beneficiary_id,amount,currency\nx,${org.banked},1,NGN`
    const other = await org.post(undefined, { rawBody, headers: { ...headers, ...csvCall.headers } })
    expect(other.status).toBe(409)
  })
})

describe('400', () => {
  it('nothing is stored when a row is wrong, and every error is named', async () => {
    const before = await stored()
    const answer = await org.post({ rows: [naira(), naira({ amount: 0, currency: '?' })] })
    expect(answer.status).toBe(400)
    expect(answer.body.details).toEqual([
      { path: 'row 2: amount', message: 'amount must be a positive decimal number.' },
      { path: 'row 2: currency', message: 'currency must be a known ISO 4217 currency.' },
      { path: 'row 2: client_reference', message: 'client_reference is also in row 1.' },
    ])
    expect(await stored()).toBe(before)
  })

  it('a file of something else: the errors are counted, and the first 100 listed', async () => {
    const answer = await org.post({ rows: Array.from({ length: 60 }, () => ({})) })
    expect([answer.status, answer.body.details.length]).toEqual([400, 100])
    expect(answer.body.message).toContain('60 of the rows cannot be paid')
    expect(answer.body.message).toContain('The first 100 of 240 errors are listed')
  })

  it.each([
    ['no rows', []],
    ['too many rows', Array.from({ length: 10_001 }, () => ({}))],
    ['rows that are no objects', [1]],
  ])('%s', async (_name, rows) => expect((await org.post({ rows })).status).toBe(400))

  it('a CSV that cannot be read', async () => {
    const answer = await org.post(undefined, { ...csvCall, rawBody: 'client_reference\n"open' })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('never closed')
  })

  it('a beneficiary of another organisation', async () => {
    const stranger = await openBatches(t)
    const { errors } = await org.dryRun([naira({ beneficiary_id: stranger.banked })])
    expect(errors).toEqual([
      { row: 1, field: 'beneficiary_id', message: 'There is no such beneficiary (beneficiary_id).' },
    ])
  })
})

describe('403', () => {
  it('a viewer', async () => {
    const answer = await org.post({ rows: [naira()] }, { as: org.viewer.token })
    expect(answer.status).toBe(403)
  })
})

describe('413 and 415', () => {
  it('a body above 4 MiB', async () => {
    const answer = await org.post({ rows: [naira({ description: 'x'.repeat(5 * 1024 * 1024) })] })
    expect(answer.status).toBe(413)
  })

  it('CSV on a route that takes none', async () => {
    const call = { as: org.staff.token, rawBody: 'a\n1', ...csvCall }
    expect((await t.call('POST', '/v1/beneficiaries', call)).status).toBe(415)
  })
})
