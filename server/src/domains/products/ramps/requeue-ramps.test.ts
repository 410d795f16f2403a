import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestClock, mobileMoneyBeneficiary } from '../../../../test/worlds/test-payments.ts'
import {
  confirmations,
  offRampBody,
  openRamps,
  useRamps,
  type OrgRamps,
} from '../../../../test/worlds/test-ramps.ts'
import { requeueRamps } from './requeue-ramps.ts'
import { lateWindowMs } from './watch-closed-ramp.ts'

const minuteMs = 60_000
const clock = createTestClock()
const t = useRamps({ clock })
let org: OrgRamps
beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
})

let passedMs = 0
function pass(ms: number): void {
  passedMs += ms
  clock.pass(ms)
}
/** Rates would be too old for the next test. */
afterEach(() => {
  clock.pass(-passedMs)
  passedMs = 0
})

const usdc = (whole: number) => BigInt(whole) * 1_000_000n

async function closedRamp(): Promise<{ id: string; address: `0x${string}` }> {
  const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
  const { response } = (await org.ramp(offRampBody(payee, { client_rate: await org.rate('USDC', 'UGX') })))
    .body
  const id = response.payment_id
  const address = response.payment_instructions.wallet_address
  await t.chain.token.transfer(t.chain.customer, address, usdc(100))
  await t.chain.mine(confirmations)
  await org.advanceUntil(id, ({ status }) => status === 'processing')
  await org.advanceRamp(id)
  await t.simulator.settle()
  await org.advanceUntil(id, ({ status }) => status === 'completed')
  expect((await org.advanceRamp(id)).loaded.ramp.phase).toBe('closed')
  return { id, address }
}

/** What the rebuild puts into the outbox for a ramp, after the engine has lost everything. */
async function requeued(id: string): Promise<unknown[]> {
  await t.owner.query('delete from outbox')
  await requeueRamps(t.deps)
  const { rows } = await t.owner.query(
    `select service, handler from outbox where payload ->> 'paymentId' = $1`,
    [id],
  )
  return rows
}

it('the address of a closed ramp is watched again, until its week is over', async () => {
  const { id, address } = await closedRamp()
  expect(await requeued(id)).toEqual([{ service: 'Ramps', handler: 'supervise' }])
  await t.chain.token.transfer(t.chain.customer, address, usdc(5))
  await t.chain.mine(confirmations)
  await org.advanceRamp(id)
  expect(await org.balance('suspense', 'USDC')).toBe(usdc(5))
  pass(lateWindowMs + 31 * minuteMs)
  expect(await requeued(id)).toEqual([])
})

it('a closed ramp whose address nobody paid is not watched', async () => {
  const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
  const { response } = (await org.ramp(offRampBody(payee, { client_rate: await org.rate('USDC', 'UGX') })))
    .body
  const id = response.payment_id
  expect(await requeued(id)).toHaveLength(1)
  pass(31 * minuteMs)
  await org.advanceRamp(id)
  pass(lateWindowMs)
  await org.advanceRamp(id)
  expect((await org.advanceRamp(id)).loaded.ramp.phase).toBe('closed')
  expect(await requeued(id)).toEqual([])
})
