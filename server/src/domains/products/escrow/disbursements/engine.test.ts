import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectCleanAudit } from '../../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import { statesOf } from '../../../../../test/worlds/test-disbursement.ts'
import { fixed, openEscrow, percent, type TestEscrow } from '../../../../../test/worlds/test-escrow.ts'
import { startTestPayments, type TestPayments } from '../../../../../test/worlds/test-payments.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { queryEngine, startTestWorker, type TestWorker } from '../../../../../test/app/test-worker.ts'
import { requeueDisbursements } from './requeue-disbursements.ts'

const endLimitMs = 30_000

let t: TestPayments
let worker: TestWorker | undefined
let escrow: TestEscrow
beforeAll(async () => {
  const started = await startTestPayments()
  t = { ...started, deps: { ...started.deps, payoutRetriesMs: [100, 100] } }
  escrow = await openEscrow(t)
})
afterAll(async () => {
  await worker?.stop()
  await expectCleanAudit(t)
  await t.close()
})

async function order(parties: Json[], expected: number): Promise<string> {
  const { milestone_id } = await escrow.milestone(expected, parties)
  await escrow.fund(expected)
  await escrow.approve(milestone_id)
  await escrow.disburse(milestone_id)
  return milestone_id
}
const ended = (id: string, status: string): Promise<unknown> =>
  until(`${status}`, async () => (await escrow.readMilestone(id)).status === status, endLimitMs)

it('the engine pays every party by transfer and payout, and publishes the result', async () => {
  worker = await startTestWorker(t)
  const [ada, ben] = [await escrow.accountParty(), await escrow.payoutParty()]
  const id = await order([percent(ada, 25), percent(ben, 75)], 200)
  await ended(id, 'disbursed')
  expect(statesOf(await escrow.readMilestone(id))).toEqual({
    [ada.party_id]: 'paid 50',
    [ben.party_id]: 'paid 150',
  })
})

it(
  'the engine retries a failed share after a delay, then raises an exception',
  { timeout: endLimitMs },
  async () => {
    const [ada, ben] = [await escrow.accountParty(), await escrow.payoutParty()]
    const id = await order([percent(ada, 100), fixed(ben, 30.14)], 60)
    await until(
      'the exception',
      async () => (await escrow.org.exceptions('&kind=escrow_payout_failed')).length,
      endLimitMs,
    )
    const milestone = await escrow.readMilestone(id)
    expect(milestone).toMatchObject({ status: 'disbursing', disbursed_total: 29.86 })
    expect(milestone.disbursements.find((one: Json) => one.party_id === ben.party_id).tries).toBe(3)
  },
)

it('a rebuild requeues every open disbursement for an engine that lost its state', async () => {
  await worker?.stop()
  worker = undefined
  const [ada, ben] = [await escrow.accountParty(), await escrow.payoutParty()]
  const id = await order([percent(ada, 50), percent(ben, 50)], 20)
  // Simulates the loss of the engine's data: jobs already handed over are gone.
  await t.owner.query(`delete from outbox where service = 'Disbursements'`)
  // The previous test's milestone waits for manual review; it is requeued too, and nothing changes.
  expect(await requeueDisbursements(t.deps)).toBe(2)
  worker = await startTestWorker(t)
  await ended(id, 'disbursed')
  const [exception] = await escrow.org.exceptions('&kind=escrow_payout_failed')
  expect(exception.status).toBe('open')
  expect(await escrow.org.exceptions('&kind=escrow_payout_failed')).toHaveLength(1)
})

it('the engine receives only ids: no name, no account number, no amount', async () => {
  const service = `${t.config.ENGINE_NAMESPACE}Disbursements`
  const rows = await queryEngine(
    t,
    `select j.raw from sys_journal j join sys_invocation i on i.id = j.id where i.target_service_name = '${service}'`,
  )
  const text = rows.map(({ raw }) => Buffer.from(raw, 'hex').toString('latin1')).join('\n')
  expect(text).toContain(escrow.org.orgId)
  expect(['0690000049', 'Ngozi', 'Warehouse'].filter((secret) => text.includes(secret))).toEqual([])
})
