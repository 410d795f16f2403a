import { takeTurns } from '../../../../../test/app/take-turns.ts'
import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Program } from '@switchyard/stack/programs.ts'
import { enqueue } from '../../../../kernel/engine/outbox.ts'
import { createPersonKeysDir } from '../../../../../test/app/person-keys.ts'
import { crashingWorkers } from '../../../../../test/processes/processes-crashing.ts'
import {
  cardPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { eraserOf, payerOf } from '../testing/erase-people.ts'

const directory = createPersonKeysDir()
const t = usePayments({ delayMs: untilSettled, env: { PERSON_KEYS_DIR: directory } })
const by = eraserOf(t)
const caseLimitMs = 90_000
afterAll(() => rmSync(directory, { recursive: true }))

let org: OrgPayments
let startWorker: (crashStep: number) => Promise<Program>
let worker: Program | undefined
beforeAll(async () => {
  org = await openPayments(t)
  startWorker = await crashingWorkers(t, 'crashing-retention', {
    PERSON_KEYS_DIR: directory,
    RETENTION_PAYER_DAYS: '30',
  })
}, caseLimitMs)
afterEach(() => worker?.stop())

const makeOld = (paymentId: string) =>
  t.owner.query(
    `update payments set created_at = created_at - interval '40 days', updated_at = updated_at - interval '40 days'
     where payment_id = $1`,
    [paymentId],
  )

it.each(takeTurns([3, 10, 16, 22], 4))(
  'killed with -9 at step %i: the next worker erases who is due, and nobody else',
  { timeout: 2 * caseLimitMs },
  async (step) => {
    const due = [
      await by.paid(org, cardPayin(payerOf(`due${step}a`))),
      await by.paid(org, cardPayin(payerOf(`due${step}b`))),
    ]
    const recent = await by.paid(org, cardPayin(payerOf(`recent${step}`)))
    for (const id of due) await makeOld(id)
    const job = { service: 'Privacy', handler: 'retain', payload: {} }
    await t.deps.db.acrossOrgs((tx) => enqueue(tx, org.orgId, job))
    const crashing = await startWorker(step)
    await until('the crash', () => Promise.resolve(!crashing.isRunning()), caseLimitMs)
    if ((await crashing.exited).signal !== 'SIGKILL') throw new Error(crashing.output())
    worker = await startWorker(0)
    const erasedAt = async (id: string) => (await by.rowOf(id)).erased_at
    await until(
      'both are erased',
      async () => (await Promise.all(due.map(erasedAt))).every((at) => at !== null),
      caseLimitMs,
    )
    await worker.stop()
    expect(await erasedAt(recent)).toBeNull()
    const { rows } = await t.owner.query(
      `select from erasures where org_id = $1 and $2::uuid = any(payment_ids) and status = 'done'`,
      [org.orgId, due[0]],
    )
    expect(rows).toHaveLength(1)
  },
)
