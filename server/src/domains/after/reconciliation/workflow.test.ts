import type { Json } from '../../../../test/app/test-app.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { enqueue } from '../../../kernel/engine/outbox.ts'
import {
  bankTransferPayin,
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { engineOf, startTestWorker, type TestWorker } from '../../../../test/app/test-worker.ts'
import { findDifferences } from './find-differences.ts'
import { raiseDifferences } from './raise-differences.ts'
import { reconciliationService } from './workflow.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let worker: TestWorker
beforeAll(async () => {
  const pace = { listing: { attempts: 2, firstDelayMs: 50, longestDelayMs: 50 }, pauseMs: 100, reviews: 5 }
  worker = await startTestWorker(t, {
    services: [reconciliationService(engineOf(t), t.deps, pace)],
  })
})
afterAll(() => worker.stop())

async function withOwnAccount(): Promise<OrgPayments & { secretKey: string; accountId: string }> {
  const org = await openPayments(t)
  const secretKey = `sk_test_${randomUUID()}`
  t.simulator.configure('paystack', { account: secretKey, secrets: { secret_key: secretKey } })
  const credentials = { secretKey, baseUrl: `${t.simulator.url}/paystack` }
  await org.ownAccount('paystack', credentials)
  const { body } = await org.call('GET', '/v1/payments/provider-accounts?provider=paystack')
  const { account_id: accountId } = body.data.find((account: Json) => account.org_id === org.orgId)
  return { ...org, secretKey, accountId }
}

it('reconciles every account nightly; an unreadable one is reported and delays no other', async () => {
  const [own, revoked, shared] = [await withOwnAccount(), await withOwnAccount(), await openPayments(t)]
  t.simulator.setFaults('paystack', [{ on: 'webhook', fault: 'webhook_drop', times: 3 }])
  const ids = new Map<OrgPayments, string>()
  for (const org of [own, revoked, shared]) ids.set(org, await org.start(bankTransferPayin()))
  await t.simulator.settle()
  t.simulator.configure('paystack', { account: revoked.secretKey, secrets: { secret_key: 'sk_test_other' } })
  clock.pass(11 * 60_000)
  await t.deps.db.acrossOrgs((tx) =>
    enqueue(tx, t.seed.platformAdmin.org_id, { service: 'Reconciliation', handler: 'nightly', payload: {} }),
  )
  const raised = (org: OrgPayments) =>
    vi.waitFor(
      async () => {
        const exceptions = await org.exceptions()
        expect(exceptions).not.toEqual([])
        return exceptions
      },
      { timeout: defaultWaitMs, interval: 100 },
    )
  expect(await raised(own)).toMatchObject([{ kind: 'state_differs', payment_id: ids.get(own) }])
  expect(await raised(shared)).toMatchObject([{ kind: 'state_differs', payment_id: ids.get(shared) }])
  expect(await raised(revoked)).toMatchObject([
    { kind: 'reconciliation_failed', provider: 'paystack', payment_id: null, status: 'open' },
  ])
  const runsOf = async (org: OrgPayments): Promise<Json[]> =>
    (await org.call('GET', '/v1/reconciliation/runs')).body.data
  await vi.waitFor(async () => {
    expect(await runsOf(own)).toMatchObject([
      {
        origin: 'nightly',
        status: 'completed',
        org_id: own.orgId,
        checked: 1,
        findings: 1,
        requested_by: null,
      },
    ])
    expect(await runsOf(revoked)).toMatchObject([{ status: 'failed', checked: null, findings: null }])
  }, defaultWaitMs)
  expect(await runsOf(shared)).toEqual([])
  const operator = await t.call('GET', '/v1/reconciliation/runs?provider=paystack', {
    as: t.seed.platformAdmin.api_key,
  })
  expect(operator.body.data).toMatchObject([{ org_id: null, provider: 'paystack', origin: 'nightly' }])
})

it('a difference that resolves before the second comparison is not raised', async () => {
  const org = await withOwnAccount()
  t.simulator.setFaults('paystack', [{ on: 'webhook', fault: 'webhook_drop', times: 2 }])
  const [late, lost] = [await org.start(bankTransferPayin()), await org.start(bankTransferPayin())]
  await t.simulator.settle()
  clock.pass(11 * 60_000)
  const account = { ownerId: org.orgId, accountId: org.accountId, provider: 'paystack' }
  const since = new Date(clock.now().getTime() - 3_600_000)
  const { differences = [] } = (await findDifferences(t.deps, account, { since })) ?? {}
  expect(differences).toHaveLength(2)
  await org.advance(late)
  clock.pass(11 * 60_000)
  await raiseDifferences(t.deps, account, { since, differences })
  expect(await org.exceptions()).toMatchObject([{ kind: 'state_differs', payment_id: lost }])
})
