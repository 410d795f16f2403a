import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { statements } from '../db/database.ts'
import { newId } from '../../lib/ids.ts'
import { useDatabase } from '../../../test/app/test-database.ts'
import { balancesOf } from './balances.ts'
import { account, postHold, held, insertTransfers, posted, releaseHold, type Transfer } from './transfers.ts'

const t = useDatabase()

const transfer = (change: Partial<Transfer> = {}): Transfer =>
  posted({
    causeId: newId(),
    kind: 'payin',
    debit: account.provider('pawapay', null),
    credit: account.available('pooled'),
    currency: 'UGX',
    amountMinor: 5_000n,
    ...change,
  })
const holdOf = (amountMinor: bigint): Transfer =>
  held(
    transfer({
      kind: 'payout.hold',
      debit: account.available('pooled'),
      credit: account.outgoing,
      amountMinor,
    }),
  )

const write = (orgId: string, ...transfers: Transfer[]): Promise<unknown> =>
  t.db.batchInOrg(orgId, [insertTransfers(orgId, transfers)])

const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
const forbidden = '42501'
const notUnique = '23505'
const checkFailed = '23514'

describe('a transfer', () => {
  it('cannot be changed or deleted by either role, not even in its own organisation', async () => {
    const orgId = newId()
    await write(orgId, transfer())
    for (const text of [
      'update ledger_transfers set amount_minor = 1',
      'delete from ledger_transfers',
      'truncate ledger_transfers',
    ]) {
      const statement = sql.raw(text).compile(statements)
      expect(await refusal(t.db.batchInOrg(orgId, [statement]))).toBe(forbidden)
      expect(await refusal(t.db.batchAcrossOrgs([statement]))).toBe(forbidden)
    }
    const { rows } = await t.owner.query('select amount_minor from ledger_transfers where org_id = $1', [
      orgId,
    ])
    expect(rows).toEqual([{ amount_minor: '5000' }])
  })

  it('happens once per cause and kind, and a repeat rolls back its whole batch', async () => {
    const orgId = newId()
    const first = transfer()
    await write(orgId, first)
    expect(await refusal(write(orgId, first))).toBe(notUnique)
    expect(await refusal(write(orgId, transfer(), { ...first, amountMinor: 1n }))).toBe(notUnique)
    const [available] = await t.db.inOrg(orgId, (tx) => balancesOf(tx, orgId, [account.available('pooled')]))
    expect(available?.postedMinor).toBe(5_000n)
  })

  it.each([
    ['an amount of zero', { amountMinor: 0n }],
    ['a negative amount', { amountMinor: -1n }],
    ['the same account on both sides', { credit: account.provider('pawapay', null) }],
    ['a phase that does not exist', { phase: 'maybe' as Transfer['phase'] }],
  ])('is refused with %s', async (_what, change) => {
    expect(await refusal(write(newId(), { ...transfer(), ...change }))).toBe(checkFailed)
  })

  it('of another organisation cannot be written or seen', async () => {
    const [orgId, stranger] = [newId(), newId()]
    await write(orgId, transfer())
    expect(await t.db.inOrg(stranger, (tx) => balancesOf(tx, orgId))).toEqual([])
    const foreign = t.db.batchInOrg(stranger, [insertTransfers(orgId, [transfer()])])
    expect(await refusal(foreign)).toBe(forbidden)
  })
})

describe('a hold', () => {
  it('ends once: a posted hold cannot be released, and a released hold cannot be posted', async () => {
    const orgId = newId()
    const [one, two] = [holdOf(100n), holdOf(200n)]
    await write(orgId, one, two)
    await write(orgId, postHold(one), releaseHold(two))
    for (const end of [postHold(one), releaseHold(one), postHold(two), releaseHold(two)])
      expect(await refusal(write(orgId, end))).toBe(notUnique)
  })

  it('ends once even if two processes end it at the same moment', async () => {
    const orgId = newId()
    const hold = holdOf(100n)
    await write(orgId, hold)
    const ends = await Promise.all(
      [postHold(hold), releaseHold(hold)].map((end) => refusal(write(orgId, end))),
    )
    expect(ends.toSorted()).toEqual([notUnique, 'nothing was refused'])
  })
})
