import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addPerson, approveChange } from '../../../../../test/app/people.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
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
import { loadList } from '../lists/load-list.ts'
import { ofacXml, writeListFile } from '../testing/list-files.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
const load = async (first: string): Promise<string> => {
  const path = await writeListFile('sdn.xml', ofacXml([{ uid: '1', first, last: 'NDUEZEMI' }]))
  const { version } = await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await t.deps.sanctions.refresh()
  return version.versionId
}
let inForce: string
beforeAll(async () => {
  inForce = await load('Oluakin')
})
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const recordsOf = async (subjectId: string): Promise<Json[]> =>
  (
    await t.owner.query(
      'select *, screening_records::text as whole from screening_records where subject_id = $1 order by screening_id',
      [subjectId],
    )
  ).rows
const namedIn = async (table: 'attempts' | 'refunds' | 'ramp_legs', paymentId: string): Promise<string[]> =>
  (await t.owner.query(`select screening_id from ${table} where payment_id = $1`, [paymentId])).rows.map(
    ({ screening_id }) => screening_id,
  )

describe('what is sent names the record of its screening', () => {
  it('an attempt of a payin, whose record holds keys and no names', async () => {
    const id = await org.start(
      cardPayin({ payer_details: { name: 'Canarella Bird', email: 'c@example.com' } }),
    )
    const [record, ...others] = await recordsOf(id)
    expect(others).toEqual([])
    expect(await namedIn('attempts', id)).toEqual([record.screening_id])
    expect(record).toMatchObject({ verdict: 'clear', list_versions: [inForce] })
    expect([record.person_keys.length, record.identifier_keys.length]).toEqual([1, 1])
    expect(record.whole).not.toMatch(/canarella|example/i)
  })

  it('a refund', async () => {
    const id = await org.start(cardPayin())
    await t.simulator.settle({ all: true })
    expect((await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'Returned' })).status).toBe(201)
    const [record, ...others] = await recordsOf(id)
    expect(others).toEqual([])
    expect(await namedIn('refunds', id)).toEqual([record.screening_id])
  })

  it('a leg of a ramp', async () => {
    const { body } = await org.call('POST', '/v1/payments-init/ramp', await wholeRampBody(org))
    const id = body.response.payment_id
    const [record] = await recordsOf(id)
    expect(await namedIn('ramp_legs', id)).toEqual([record.screening_id])
  })

  it('a payout that was approved after the list had changed is screened by the newer one', async () => {
    const admin = await addPerson(t, org.orgId, 'org-admin')
    const staff = await addPerson(t, org.orgId, 'staff')
    const policies = [{ currency: 'NGN', payout_from: 1 }]
    await approveChange(
      t,
      await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies }),
    )
    const id = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
    const newer = await load(`Oluakin${randomUUID().slice(0, 4)}`)
    for (const { token } of [staff, admin])
      await t.call('POST', `/v1/payments/${id}/review`, {
        as: token,
        body: { decision: 'approve', comments: 'Seen' },
      })
    await org.advance(id)
    const [first, second] = await recordsOf(id)
    expect([first.list_versions, second.list_versions]).toEqual([[inForce], [newer]])
    expect(await namedIn('attempts', id)).toEqual([second.screening_id])
    inForce = newer
  })
})

describe('the database refuses', () => {
  it('an attempt of a payment that was never screened', async () => {
    const id = await org.start(mobileMoneyPayin())
    await t.owner.query('delete from screening_records where subject_id = $1', [id])
    const insert = t.owner.query(
      `insert into attempts (org_id, payment_id, attempt_no, provider, config_id, account_id, custody, reference, state,
         deadline_at)
       select org_id, payment_id, 9, provider, config_id, account_id, custody, gen_random_uuid(), 'sending', now()
       from attempts where payment_id = $1`,
      [id],
    )
    await expect(insert).rejects.toThrow('nobody was compared')
  })

  it('what was screened by a list that was replaced minutes ago, until the process has read the newer one', async () => {
    const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)
    await t.owner.query('update sanctions_versions set published_at = $1 where version_id = $2', [
      ago(4),
      inForce,
    ])
    const process = vi.spyOn(t.deps.sanctions, 'inUse')
    process.mockReturnValue({ versionIds: [randomUUID()], publishedAt: ago(60) })
    const sent = await org.start(mobileMoneyPayin())
    expect(await org.attempts(sent)).toHaveLength(1)
    await t.owner.query('update sanctions_versions set published_at = $1 where version_id = $2', [
      ago(6),
      inForce,
    ])
    const held = await org.start(mobileMoneyPayin())
    expect(await org.attempts(held)).toEqual([])
    expect((await org.advance(held)).nextPollMs).toBe(t.deps.pollSchedule.suspendedMs)
    process.mockRestore()
    await org.advance(held)
    expect(await org.attempts(held)).toHaveLength(1)
    expect((await recordsOf(held)).map(({ list_versions }) => list_versions)).toContainEqual([inForce])
  })
})
