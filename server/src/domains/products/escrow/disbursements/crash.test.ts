import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Program } from '@switchyard/stack/programs.ts'
import { takeTurns } from '../../../../../test/app/take-turns.ts'
import { crashingWorkers } from '../../../../../test/processes/processes-crashing.ts'
import { expectCleanAudit } from '../../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import { addEscrow, fixed, openEscrow, type TestEscrow } from '../../../../../test/worlds/test-escrow.ts'
import { useReceiver } from '../../../../../test/app/test-receiver.ts'
import { usePayments } from '../../../../../test/worlds/test-payments.ts'
import { until } from '../../../../../test/app/test-relay.ts'

/** `ESCROW_CRASHES=1-150` kills at each of those steps; a disbursement of these five has fewer. */
const [from = 1, to = from] = (process.env['ESCROW_CRASHES'] ?? '').split('-').filter(Boolean).map(Number)
const steps =
  process.env['ESCROW_CRASHES'] === undefined
    ? takeTurns([9, 22, 31, 47], 4)
    : Array.from({ length: to - from + 1 }, (_, place) => from + place)
const caseLimitMs = 60_000

const t = usePayments()
let first: TestEscrow
const receiver = useReceiver()
let startWorker: (crashStep: number) => Promise<Program>
let worker: Program | undefined
let accounts: [Json, Json]
beforeAll(async () => {
  first = await openEscrow(t, 1_000_000_000)
  accounts = [await first.org.open(), await first.org.open()]
  const endpoint = {
    endpoint_url: receiver.url,
    events: ['escrow.milestone_updated', 'escrow.disbursement_failed'],
  }
  await first.org.call('POST', '/v1/public/webhooks', endpoint)
  startWorker = await crashingWorkers(t, 'crashing-disbursement', { PAYOUT_RETRY_MS: '50' })
}, caseLimitMs)
afterEach(() => worker?.stop())

/**
 * Two parties are paid by book transfer, one by payout, and two by payouts that the bank accepts and fails (14
 * cents).
 */
async function order(good: number): Promise<{ escrow: TestEscrow; milestoneId: string; parties: Json[] }> {
  const escrow = await addEscrow(first.org, first.fundingAccount)
  const { beneficiaryId: beneficiary_id } = first.org
  const payees = [...accounts.map(({ account_id }) => ({ account_id })), ...Array(3).fill({ beneficiary_id })]
  const parties: Json[] = []
  for (const payee of payees)
    parties.push((await escrow.call('POST', '/parties', { name: 'Party', ...payee })).body.data)
  const amounts = [10, 20, good, 30.14, 40.14]
  const { milestone_id: milestoneId } = await escrow.milestone(
    100.28 + good,
    parties.map((party, place) => fixed(party, amounts[place] ?? 0)),
  )
  expect((await escrow.fund(100.28 + good)).status).toBe(200)
  await escrow.approve(milestoneId)
  expect((await escrow.disburse(milestoneId)).status).toBe(200)
  return { escrow, milestoneId, parties }
}

const isOver = async (milestoneId: string): Promise<boolean> => {
  const { rows } = await t.owner.query(
    `select count(*) filter (where state in ('paid', 'stuck')) = count(*)
       and not exists (select from deliveries where status = 'pending')
       and not exists (select from outbox where service = 'Disbursements') as over
     from escrow_shares where milestone_id = $1`,
    [milestoneId],
  )
  return rows[0].over
}

it.each(steps)(
  'killed with -9 at step %i: everyone is paid once or listed as an exception, and all is told',
  { timeout: 2 * caseLimitMs },
  async (step) => {
    // Uses an amount unique to the case, so that the bank's log can be searched for it.
    const good = 1000 + step
    const { escrow, milestoneId, parties } = await order(good)
    const crashing = await startWorker(step)
    await until('the crash', async () => !crashing.isRunning() || (await isOver(milestoneId)), caseLimitMs)
    const hasCrashed = !crashing.isRunning()
    // Any other exit has an unrelated cause, such as a port taken by another process.
    if (hasCrashed && (await crashing.exited).signal !== 'SIGKILL') throw new Error(crashing.output())
    worker = hasCrashed ? await startWorker(0) : crashing
    await until('the disbursement to be over', () => isOver(milestoneId), caseLimitMs)
    await worker.stop()
    const milestone = await escrow.readMilestone(milestoneId)
    expect(milestone).toMatchObject({ status: 'disbursing', disbursed_total: 30 + good })
    expect(milestone.disbursements.map((one: Json) => `${one.status} ${one.amount}`).toSorted()).toEqual(
      ['failed 30.14', 'failed 40.14', `paid ${good}`, 'paid 10', 'paid 20'].toSorted(),
    )
    const accepted = t.simulator.log().filter(({ amount }) => Number(amount) === good)
    expect(accepted.map(({ amount }) => amount)).toHaveLength(1)
    const exceptions = await first.org.exceptions('&kind=escrow_payout_failed')
    const told = parties.filter(({ party_id }) =>
      exceptions.some(({ summary }) => summary.includes(party_id)),
    )
    expect(told.map(({ party_id }) => party_id)).toEqual(parties.slice(3).map(({ party_id }) => party_id))
    await expectEvents(milestoneId)
    await expectCleanAudit(t)
  },
)

/** All events have arrived, and they include the expected ones. */
async function expectEvents(milestoneId: string): Promise<void> {
  const { rows } = await t.owner.query(
    `select event_id, event_type from events where resource_id = $1 order by sequence`,
    [milestoneId],
  )
  const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  expect(rows.filter(({ event_id }) => !arrived.has(event_id))).toEqual([])
  const types = rows.map(({ event_type }) => event_type)
  expect(types.filter((type) => type === 'escrow.milestone_updated')).toHaveLength(3)
  expect(types).toContain('escrow.disbursement_failed')
}
