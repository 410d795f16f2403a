import { expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { openOrganization } from '../../../../test/app/people.ts'
import { useApp } from '../../../../test/app/test-app.ts'
import { replayHistory } from './replay-history.ts'
import { fillHistory } from './testing/fill-history.ts'

/** `npm run routing:scale` sets a million. */
const count = Number(process.env['SIMULATED_PAYMENTS'] ?? 3_000)
const limitMs = 60_000
const dayMs = 24 * 60 * 60_000
/** Often enough that a policy can learn within minutes. */
const betweenMs = 4_000

const t = useApp()

it(`a history of ${count} payments is replayed in less than ${limitMs / 1_000} s`, async () => {
  const { orgId, admin } = await openOrganization(t)
  const from = new Date(Date.now() - 80 * dayMs)
  const accounts = [
    { accountId: newId(), provider: 'paystack', percent: 70 },
    { accountId: newId(), provider: 'flutterwave', percent: 90 },
  ]
  const to = new Date(from.getTime() + count * betweenMs)
  await fillHistory(t.owner, { orgId, payments: count, from, to, accounts })
  const policy = { rules: [], otherwise: { type: 'priority', order: [{ provider: 'flutterwave' }] } }
  const { body } = await t.call('POST', '/v1/routing/simulate', {
    as: admin.token,
    body: { policy, from: from.toISOString() },
  })
  const { simulation_id: simulationId } = body.data
  const began = performance.now()
  await replayHistory(t.deps, { orgId, simulationId })
  const tookMs = performance.now() - began
  process.stdout.write(`replayed ${count} payments in ${(tookMs / 1_000).toFixed(1)} s\n`)
  expect(tookMs).toBeLessThan(limitMs)
  const read = await t.call('GET', `/v1/routing/simulations/${simulationId}`, { as: admin.token })
  expect(read.body.data).toMatchObject({ status: 'completed', result: { payments: count } })
}, 600_000)
