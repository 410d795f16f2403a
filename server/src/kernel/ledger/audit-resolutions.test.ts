import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { brokenAfter } from '../../../test/app/test-audit.ts'
import type { CallAnswer } from '../../../test/app/test-app.ts'
import { answerAgain, leaveInDoubt, openDoubts } from '../../../test/worlds/test-doubts.ts'
import {
  createTestClock,
  installationAccountId,
  untilSettled,
  usePayments,
} from '../../../test/worlds/test-payments.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let owner: Kysely<DB>
beforeAll(async () => {
  owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  leaveInDoubt(t)
  const org = await openDoubts(t, 'pooled')
  const id = await org.startPayin()
  clock.pass(25 * 60 * 60_000)
  const approved = (held: CallAnswer) => org.decide(held, 'approve', t.seed.platformAdmin.api_key)
  await approved(await org.resolve(id, 'completed'))
  await approved(
    await org.call('POST', '/v1/ledger/adjustments', {
      debit: 'available',
      credit: `provider:paystack:${await installationAccountId(t, 'paystack')}`,
      currency: 'NGN',
      amount: 1.5,
      reason: 'The statement shows a bank charge.',
    }),
  )
  answerAgain(t)
})

const decisions = 'two people stand behind every decision'
const marks = 'a decision is marked where it was made'
const adjustments = 'two people stand behind every adjustment'
const postings = 'an adjustment is posted exactly once'

it.each([
  [`delete from change_requests where kind = 'payment.resolve'`, decisions],
  [`update change_requests set status = 'pending' where kind = 'payment.resolve'`, decisions],
  [`update change_requests set approver = 'administrator' where kind = 'payment.resolve'`, decisions],
  [`update change_requests set decided_by = 'somebody' where kind = 'payment.resolve'`, decisions],
  [
    `update change_requests set payload = payload || '{"outcome": "failed"}' where kind = 'payment.resolve'`,
    decisions,
  ],
  [`update resolutions set attempt_no = 7`, decisions],
  [`delete from resolutions`, marks],
  [`update attempts set resolution_id = null`, marks],
  [`update resolutions set outcome = 'returned'`, marks],
  [`update attempts set resolution_id = gen_random_uuid()`, marks],
  [`delete from change_requests where kind = 'ledger.adjust'`, adjustments],
  [`update change_requests set approver = 'administrator' where kind = 'ledger.adjust'`, adjustments],
  [`update change_requests set decided_by = 'somebody' where kind = 'ledger.adjust'`, adjustments],
  [`update ledger_adjustments set amount_minor = amount_minor + 1`, adjustments],
  [`update ledger_adjustments set amount_minor = amount_minor + 1`, postings],
  [`delete from ledger_adjustments`, postings],
  [`delete from ledger_transfers where kind = 'adjustment'`, postings],
  [`update ledger_transfers set debit_account = 'fees' where kind = 'adjustment'`, postings],
  [
    `update ledger_adjustments set credit_account = 'suspense'`,
    'an adjustment changes neither custody nor holds',
  ],
])('%s breaks the promise', async (statement, promise) => {
  expect(await brokenAfter(owner, 'select 1')).toEqual([])
  expect(await brokenAfter(owner, statement)).toContain(promise)
})
