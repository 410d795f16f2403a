import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { addPerson, approveChange } from '../../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import { kybApplication, kybOf } from '../../../../../test/worlds/test-kyb.ts'
import {
  bankBeneficiary,
  bankPayout,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { addOperator, suspend } from '../../suspensions/testing/suspend-as-operator.ts'
import { loadList } from '../lists/load-list.ts'
import { ofacXml, writeListFile } from '../testing/list-files.ts'

const t = usePayments({ delayMs: untilSettled })
beforeAll(async () => {
  const entries = [
    { uid: '1', first: 'Oluakin', last: 'NDUEZEMI', born: '10 Dec 1948', aka: 'Nwachi Okebola' },
    { uid: '3', first: 'Timrad', last: 'SEVHOLOV' },
  ]
  const path = await writeListFile('sdn.xml', ofacXml(entries))
  await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await t.deps.sanctions.refresh()
})

let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const operator = (): string => t.seed.platformAdmin.api_key
const suspect = { fname: 'Nwachi', lname: 'Okebola' }
const list = async (as: string, query: string): Promise<Json[]> =>
  (await t.call('GET', `/v1/screening/matches?limit=100&${query}`, { as })).body.data
const onlyMatch = async (as = org.credential): Promise<Json> => {
  const [found] = await list(as, `org_id=${org.orgId}`)
  return (await t.call('GET', `/v1/screening/matches/${found?.match_id}`, { as })).body.data
}
const askToClear = (matchId: string, as = org.credential): Promise<CallAnswer> =>
  t.call('POST', `/v1/screening/matches/${matchId}/clear`, { as, body: { reason: 'Compared passports.' } })
const waitingFor = async (as: string): Promise<Json> =>
  (await t.call('GET', '/v1/users/me/waiting', { as })).body.data.sanctions_matches
/** Behind the organisation there is a director with a name of the list. */
async function nameDirector(): Promise<void> {
  const director = { first_name: 'Timrad', last_name: 'Sevholov', role: 'director' }
  await t.owner.query(`update organizations set kyb_status = 'not_started' where org_id = $1`, [org.orgId])
  const named = await kybOf(t, org).initiate({ ...kybApplication(), people: [director] })
  expect(named.status).toBe(200)
  await t.owner.query(`update organizations set kyb_status = 'approved' where org_id = $1`, [org.orgId])
}

describe('a match', () => {
  it('says why: the alias, the country, what is not known, and what it holds back', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    const id = await org.start(bankPayout(beneficiary, { client_reference: 'INV-7' }))
    expect(await onlyMatch()).toMatchObject({
      comparison: {
        closest_name: 'Nwachi Okebola',
        is_alias: true,
        date_of_birth: 'unknown',
        country: 'same',
      },
      held_payments: [{ payment_id: id, amount: 1500.75, currency: 'NGN', client_reference: 'INV-7' }],
      clearance_request_id: null,
    })
  })

  it('names the request to clear it until that is decided, and holds nothing back afterwards', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    await org.start(bankPayout(beneficiary))
    const asked = await askToClear((await onlyMatch()).match_id)
    expect((await onlyMatch()).clearance_request_id).toBe(asked.body.data.request_id)
    await approveChange(t, asked)
    expect(await onlyMatch()).toMatchObject({
      status: 'cleared',
      held_payments: [],
      clearance_request_id: null,
    })
  })

  it('of people behind an organisation holds back what leaves it, and not what it collects', async () => {
    await nameDirector()
    const payout = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
    const payin = await org.start(mobileMoneyPayin())
    const { held_payments } = await onlyMatch(operator())
    expect(held_payments.map(({ payment_id }: Json) => payment_id)).toEqual([payout])
    expect((await org.record(payin)).on_hold).toBe(false)
  })

  it('is found by its beneficiary, and by the payment of its payer', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    const payer = { name: 'Oluakin Nduezemi', email: 'payer@example.com', phone: '256783456789' }
    const payin = await org.start(mobileMoneyPayin({ payer_details: payer }))
    const subjects = async (query: string): Promise<Json[]> =>
      (await list(org.credential, query)).map((one) => one.beneficiary_id ?? one.payment_id)
    expect(await subjects(`beneficiary_id=${beneficiary}`)).toEqual([beneficiary])
    expect(await subjects(`payment_id=${payin}`)).toEqual([payin])
    expect(await subjects(`beneficiary_id=${newId()}`)).toEqual([])
  })
})

describe('a payment that a match holds back', () => {
  it('says that it is on hold, to everybody who sees it, and nothing about a list', async () => {
    const { token } = await addPerson(t, org.orgId, 'viewer')
    const id = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary(suspect))))
    const { text, body } = await t.call('GET', `/v1/payments/${id}`, { as: token })
    expect(body).toMatchObject({ status: 'confirmed', on_hold: true, failure: null })
    expect(text).not.toMatch(/sanction|screening|match/i)
    await approveChange(t, await askToClear((await onlyMatch()).match_id))
    await org.advance(id)
    expect((await org.record(id)).on_hold).toBe(false)
  })

  it('looks the same where a suspension holds it back', async () => {
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
      policies: [{ currency: 'NGN', payout_from: 1000 }],
    })
    const staff = await addPerson(t, org.orgId, 'staff')
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    const started = await t.call('POST', '/v1/payments-init/initiate', {
      as: staff.token,
      body: bankPayout(beneficiary),
    })
    const id = started.body.response.payment_id
    expect((await org.record(id)).on_hold).toBe(false)
    await suspend(t, { kind: 'organization', subject_id: org.orgId })
    for (const role of ['org-admin', 'org-admin'] as const) {
      const { token } = await addPerson(t, org.orgId, role)
      await t.call('POST', `/v1/payments/${id}/review`, { as: token, body: { decision: 'approve' } })
    }
    expect(await org.record(id)).toMatchObject({ status: 'confirmed', on_hold: true })
  })
})

describe('what waits', () => {
  it('is an open match, until somebody has asked for a decision: then the request waits for another', async () => {
    const second = await addOperator(t)
    await org.addBeneficiary(bankBeneficiary(suspect))
    const { match_id } = await onlyMatch()
    const isListed = async (as: string): Promise<boolean> =>
      (await waitingFor(as)).items.some(({ id }: Json) => id === match_id)
    expect(await waitingFor(org.credential)).toMatchObject({
      count: 1,
      items: [{ id: match_id, org_id: org.orgId, summary: expect.stringContaining('OFAC') }],
    })
    expect([await isListed(operator()), await isListed(second.token)]).toEqual([true, true])
    const asked = await askToClear(match_id, operator())
    expect([await isListed(operator()), await isListed(second.token)]).toEqual([false, false])
    expect((await waitingFor(org.credential)).count).toBe(0)
    const { change_requests } = (await t.call('GET', '/v1/users/me/waiting', { as: second.token })).body.data
    expect(change_requests.items.map(({ id }: Json) => id)).toContain(asked.body.data.request_id)
    await t.owner.query('delete from members where user_id = $1', [second.userId])
  })

  it('is nothing for staff, viewers, other organisations, nor for those whom the match is about', async () => {
    await nameDirector()
    await org.addBeneficiary(bankBeneficiary(suspect))
    for (const role of ['staff', 'viewer'] as const) {
      const { token } = await addPerson(t, org.orgId, role)
      expect((await waitingFor(token)).count).toBe(0)
    }
    expect((await waitingFor((await openPayments(t)).credential)).count).toBe(0)
    expect((await waitingFor(org.credential)).count).toBe(1)
    const { items } = await waitingFor(operator())
    expect(items.filter(({ org_id }: Json) => org_id === org.orgId)).toHaveLength(2)
  })
})
