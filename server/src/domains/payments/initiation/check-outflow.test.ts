import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import type { DailyLimit } from '../../pricing/approval-policies/record.ts'
import { dailyWindowMs, findReachedDaily, reachesDailyLimit } from './check-outflow.ts'

const t = useDatabase()

const now = new Date('2026-03-01T12:00:00Z')
const deps = () => ({ db: t.db, clock: { now: () => now } })
const limitOf = (limitMinor: bigint, currency = 'GBP'): DailyLimit => ({
  policy: { kind: 'payout', currency, fromMinor: 1n, dailyFromMinor: limitMinor },
  limitMinor,
  weights: new Map([[currency, '1']]),
})
const outflowOf = (amountMinor: bigint, currency = 'GBP') => ({
  source: { amountMinor, currency },
  target: { amountMinor, currency },
})

/** An organisation that paid out 100 minor units of GBP at that time. */
async function openOrg(paidAt: Date = now): Promise<string> {
  const orgId = newId()
  await t.owner.query(
    `insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
       target_currency, target_amount_minor, status, version, private_sealed, routing, request_id, created_at, updated_at)
     values ($1, $2, 'u', 'outbound', 'bank_transfer', 'GB', 'GBP', 100, 'GBP', 100, 'completed', 1, '', '{}', 'r', $3, $3)`,
    [orgId, newId(), paidAt],
  )
  return orgId
}

describe('the daily limit', () => {
  const reached = (orgId: string, amountMinor: bigint, ...limits: DailyLimit[]) =>
    findReachedDaily(deps(), orgId, outflowOf(amountMinor), limits)

  it('is reached by an outflow together with those of the last 24 hours', async () => {
    const orgId = await openOrg()
    expect(await reached(orgId, 49n, limitOf(150n))).toBeUndefined()
    expect(await reached(orgId, 50n, limitOf(150n))).toEqual({ kind: 'daily', policy: limitOf(150n).policy })
    expect(await reached(orgId, 1n)).toBeUndefined()
  })

  it('is reached by an outflow alone, of an organisation that has paid nothing yet', async () => {
    const orgId = newId()
    expect(await reached(orgId, 149n, limitOf(150n))).toBeUndefined()
    expect(await reached(orgId, 150n, limitOf(150n))).toMatchObject({ kind: 'daily' })
    expect(await reached(orgId, 151n, limitOf(150n))).toMatchObject({ kind: 'daily' })
  })

  it('is reached by a currency that cannot be valued', async () => {
    const found = await reached(newId(), 1n, limitOf(150n, 'KES'))
    expect(found?.policy.currency).toBe('KES')
  })

  it('that is named is the first one reached', async () => {
    const found = await reached(newId(), 100n, limitOf(150n), limitOf(100n), limitOf(50n))
    expect(found?.policy.dailyFromMinor).toBe(100n)
  })

  it('counts a payment for 24 hours', async () => {
    expect(dailyWindowMs).toBe(86_400_000)
    const within = await openOrg(new Date(now.getTime() - dailyWindowMs + 1))
    const past = await openOrg(new Date(now.getTime() - dailyWindowMs))
    expect(await reachesDailyLimit(deps(), within, limitOf(100n))).toBe(true)
    expect(await reachesDailyLimit(deps(), past, limitOf(100n))).toBe(false)
  })

  it('is not taken for reached when the database fails for another reason', async () => {
    const odd = { ...limitOf(100n), weights: new Map([['GBP', 'no number']]) }
    await expect(reachesDailyLimit(deps(), newId(), odd)).rejects.toThrow('invalid input syntax')
  })
})
