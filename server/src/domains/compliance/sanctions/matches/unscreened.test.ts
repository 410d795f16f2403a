import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, approveChange } from '../../../../../test/app/people.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { wholeRampBody } from '../../../../../test/worlds/test-ramps.ts'

/** The database keeps no record of a screening, as if each path had left its call out. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeAll(async () => {
  await t.owner.query(
    `create function forget_screening() returns trigger language plpgsql as 'begin return null; end'`,
  )
  await t.owner.query(
    'create trigger forget_screening before insert on screening_records for each row execute function forget_screening()',
  )
})
const leaveOut = (isOn: boolean) =>
  t.owner.query(`alter table screening_records ${isOn ? 'enable' : 'disable'} trigger forget_screening`)
beforeEach(async () => {
  await leaveOut(false)
  org = await openPayments(t)
})
const forget = (id: string) => t.owner.query('delete from screening_records where subject_id = $1', [id])

describe('without its screening nothing is sent', () => {
  it.each([
    ['a payin by mobile money', () => mobileMoneyPayin()],
    ['a card payin', () => cardPayin()],
    ['a payout', async () => bankPayout(await org.addBeneficiary(bankBeneficiary()))],
  ])('for %s', async (_kind, bodyOf) => {
    const body = await bodyOf()
    await leaveOut(true)
    const id = await org.start(body)
    expect([await org.attempts(id), await org.accepted(id)]).toEqual([[], []])
    await org.advance(id)
    expect(await org.attempts(id)).toEqual([])
  })

  it('for a payout that was approved', async () => {
    const admin = await addPerson(t, org.orgId, 'org-admin')
    const staff = await addPerson(t, org.orgId, 'staff')
    const policies = [{ currency: 'NGN', payout_from: 1 }]
    await approveChange(
      t,
      await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies }),
    )
    await leaveOut(true)
    const id = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
    expect((await org.record(id)).status).toBe('initiated')
    for (const { token } of [staff, admin])
      await t.call('POST', `/v1/payments/${id}/review`, {
        as: token,
        body: { decision: 'approve', comments: 'Seen' },
      })
    await org.advance(id)
    expect([(await org.record(id)).status, await org.attempts(id)]).toEqual(['confirmed', []])
  })

  it('for a ramp', async () => {
    const body = await wholeRampBody(org)
    await leaveOut(true)
    const refused = await org.call('POST', '/v1/payments-init/ramp', body)
    expect([refused.status, refused.body.code]).toEqual([403, 'SCREENING_OPEN'])
  })

  it('for a refund', async () => {
    const id = await org.start(cardPayin())
    await t.simulator.settle({ all: true })
    await forget(id)
    await leaveOut(true)
    const refused = await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'Returned' })
    expect([refused.status, refused.body.code]).toEqual([403, 'SCREENING_OPEN'])
  })

  it('for a refund, which is sent once the payment is screened again', async () => {
    const id = await org.start(cardPayin())
    await t.simulator.settle({ all: true })
    await forget(id)
    const sent = await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'Returned' })
    expect(sent.status).toBe(201)
  })
})
