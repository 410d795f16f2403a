import { afterEach, beforeEach, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer } from '../../../../test/app/test-app.ts'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'
import { onRampBody, openRamps, useRamps, type OrgRamps } from '../../../../test/worlds/test-ramps.ts'

const hourMs = 60 * 60_000
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const clock = createTestClock()
const t = useRamps({ clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgRamps
let id: string
beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
  t.simulator.setFaults('pawapay', [
    { on: 'collect', fault: 'error_500', times: 1 },
    { on: 'inquire', fault: 'error_500', times: 100 },
  ])
  const body = onRampBody({ client_rate: await org.rate('UGX', 'USDC'), wallet_address: wallet })
  id = (await org.ramp(body)).body.response.payment_id
})

/** Rates must be of today, so each test puts the clock back. */
let passedMs = 0
afterEach(() => {
  clock.pass(-passedMs)
  passedMs = 0
})
const pass = (ms: number): void => {
  clock.pass(ms)
  passedMs += ms
}
const propose = (outcome: string): Promise<CallAnswer> =>
  org.call('POST', `/v1/payments/${id}/resolve`, {
    outcome,
    evidence: 'The statement of the provider shows it.',
  })
const approve = (held: CallAnswer, as: string): Promise<CallAnswer> =>
  t.call('POST', `/v1/organizations/${org.orgId}/change-requests/${held.body.data.request_id}/approve`, {
    as,
    body: {},
  })
async function inDoubt(): Promise<void> {
  pass(25 * hourMs)
  await org.advanceRamp(id)
  expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([{ kind: 'ramp_unknown', status: 'open' }])
}

it('a collection that two people call failed ends the ramp, with nothing posted', async () => {
  expect((await propose('failed')).status).toBe(409)
  await inDoubt()
  expect((await propose('returned')).status).toBe(409)
  const held = await propose('failed')
  expect(held.body.data).toMatchObject({ approver: 'operator', payload: { leg_no: 1 } })
  const second = await addPerson(t, org.orgId, 'org-admin')
  expect((await approve(held, second.token)).status).toBe(403)
  expect((await approve(held, t.seed.platformAdmin.api_key)).status).toBe(200)
  expect((await org.record(id)).status).toBe('failed')
  expect(await org.postings(id)).toEqual([])
  expect(await org.exceptions(`&payment_id=${id}&status=open`)).toEqual([])
  await expectCleanAudit(t)
})

it('a collection that two people call completed is followed by the delivery; the wallet’s leg is not for people', async () => {
  await inDoubt()
  expect((await approve(await propose('completed'), t.seed.platformAdmin.api_key)).status).toBe(200)
  expect((await org.record(id)).status).toBe('processing')
  expect(await org.balance('ramps', 'UGX')).toBeGreaterThan(0n)
  await org.advanceRamp(id)
  pass(25 * hourMs)
  const refused = await propose('failed')
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('chain')])
  await expectCleanAudit(t)
})
