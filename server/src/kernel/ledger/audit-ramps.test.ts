import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { brokenAfter } from '../../../test/app/test-audit.ts'
import { openPayments, untilSettled, usePayments } from '../../../test/worlds/test-payments.ts'
import { completeWholeRamp } from '../../../test/worlds/test-ramps.ts'

const t = usePayments({ delayMs: untilSettled })
let owner: Kysely<DB>
let ramp: string
beforeAll(async () => {
  owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const org = await openPayments(t)
  ramp = await completeWholeRamp(t, org)
})

const brokenBy = (statement: string): Promise<string[]> => brokenAfter(owner, statement)

const ofRamp = (what: string, kind: string): string =>
  `${what} where cause_id = '${ramp}' and kind like '${kind}'`

it('a ramp that was written by the operations alone breaks no promise', async () => {
  expect(await brokenBy('select 1')).toEqual([])
})

it('money that is left in the ramp account is found', async () => {
  expect(await brokenBy(ofRamp('delete from ledger_transfers', 'ramp.delivered'))).toEqual([
    'money in the ramp account belongs to an open ramp',
    'a ramp is posted in both assets according to its outcome',
  ])
})

it('a posting of another amount than the ramp’s is found', async () => {
  const more = ofRamp('update ledger_transfers set amount_minor = amount_minor + 1', 'ramp.bought')
  expect(await brokenBy(more)).toContain('a ramp is posted in both assets according to its outcome')
})

it('a ramp that is completed without a delivery is found', async () => {
  const undone = `update ramp_legs set state = 'failed' where payment_id = '${ramp}'`
  expect(await brokenBy(undone)).toEqual(['legs match the status of their ramp'])
})

it('a nonce that is reserved for a leg that is no longer open is found', async () => {
  const reserved = `insert into wallet_transfers
      (org_id, reference, chain_id, token, from_address, to_address, amount_minor, nonce, state)
    select org_id, reference, 1, '0x', '0x', '0x', 1, 0, 'open' from ramp_legs where payment_id = '${ramp}'`
  expect(await brokenBy(reserved)).toEqual(['a wallet transfer in flight belongs to an open leg'])
})

it('an exception that holds money which the ramp never moved to suspense is found', async () => {
  const exception = `insert into exceptions
      (org_id, exception_id, kind, payment_id, summary, suggested_action, finding_key,
       held_minor, held_currency, held_provider)
    select org_id, gen_random_uuid(), 'ramp_paid_late', payment_id, 's', 'a', 'k', 5, fiat_currency, 'yellowcard'
    from ramps where payment_id = '${ramp}'`
  expect(await brokenBy(exception)).toEqual(
    expect.arrayContaining([
      'what a ramp holds in suspense is under manual review',
      'suspense equals what is under manual review',
    ]),
  )
})
