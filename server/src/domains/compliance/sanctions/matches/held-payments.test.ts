import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, approveChange } from '../../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import { kybApplication, kybOf } from '../../../../../test/worlds/test-kyb.ts'
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
import { addOperator } from '../../suspensions/testing/suspend-as-operator.ts'
import { loadList } from '../lists/load-list.ts'
import { ofacXml, writeListFile } from '../testing/list-files.ts'

const t = usePayments({ delayMs: untilSettled })
afterAll(() => expectCleanAudit(t))

const listed = [
  { uid: '1', first: 'Oluakin', last: 'NDUEZEMI', born: '10 Dec 1948' },
  { uid: '2', first: 'Tamroz', last: 'QUDLAWI' },
  { uid: '3', first: 'Timrad', last: 'SEVHOLOV' },
]
const load = async (entries: Parameters<typeof ofacXml>[0]): Promise<void> => {
  const path = await writeListFile('sdn.xml', ofacXml(entries))
  await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await t.deps.sanctions.refresh()
}
beforeAll(() => load(listed))

let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const operator = (): string => t.seed.platformAdmin.api_key
const suspect = { fname: 'Olu Akin', lname: 'Nduezemi' }
const payTo = (beneficiary: string): Promise<CallAnswer> => org.initiate(bankPayout(beneficiary))
const matches = async (as = org.credential, query = ''): Promise<Json[]> =>
  (await t.call('GET', `/v1/screening/matches?limit=100${query}`, { as })).body.data
const decide = (matchId: string, decision: 'clear' | 'confirm', as = org.credential): Promise<CallAnswer> =>
  t.call('POST', `/v1/screening/matches/${matchId}/${decision}`, {
    as,
    body: { reason: 'Compared the passports.' },
  })
const onlyMatch = async (): Promise<Json> => {
  const found = await matches()
  expect(found).toHaveLength(1)
  return found[0]
}

describe('a beneficiary who possibly is on a list', () => {
  it('is registered and queued with the entry, the score and the version', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    expect(await onlyMatch()).toMatchObject({
      subject_kind: 'beneficiary',
      beneficiary_id: beneficiary,
      payment_id: null,
      status: 'open',
      source: 'ofac',
      list_version_id: expect.any(String),
      entry: { entry_id: '1', names: ['Oluakin NDUEZEMI'], birth_dates: ['1948-12-10'], countries: ['NG'] },
      score: expect.any(Number),
    })
  })

  it('is not paid while the match is open; cleared by two people, the payout goes on by itself, once', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    const answer = await payTo(beneficiary)
    expect(answer).toMatchObject({ status: 200, body: { response: { status: 'confirmed' } } })
    const id = answer.body.response.payment_id
    expect((await org.advance(id)).nextPollMs).toBe(t.deps.pollSchedule.suspendedMs)
    expect([await org.attempts(id), await org.accepted(id)]).toEqual([[], []])
    const { match_id } = await onlyMatch()
    const asked = await decide(match_id, 'clear')
    expect(asked).toMatchObject({ status: 202, body: { data: { kind: 'sanctions-match.clear' } } })
    expect((await onlyMatch()).status).toBe('open')
    await approveChange(t, asked)
    expect(await onlyMatch()).toMatchObject({ status: 'cleared', reason: 'Compared the passports.' })
    await org.advance(id)
    expect(await org.accepted(id)).toHaveLength(1)
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
  })

  it('stays cleared for the next payout and for the same person, until the entry changes', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    await approveChange(t, await decide((await onlyMatch()).match_id, 'clear'))
    expect(await org.accepted((await payTo(beneficiary)).body.response.payment_id)).toHaveLength(1)
    await org.addBeneficiary(bankBeneficiary(suspect))
    expect(await matches()).toHaveLength(1)
    await load([{ ...listed[0]!, aka: 'Nwachi Okebola' }, ...listed.slice(1)]) // the first of three
    const held = await payTo(beneficiary)
    expect(await org.accepted(held.body.response.payment_id)).toEqual([])
    expect((await matches(org.credential, '&status=open')).map((one) => one.beneficiary_id)).toEqual([
      beneficiary,
    ])
    await load(listed)
  })

  it('confirmed: what waited fails, and nothing is begun any more', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    const id = (await payTo(beneficiary)).body.response.payment_id
    const { match_id } = await onlyMatch()
    expect((await decide(match_id, 'confirm')).status).toBe(200)
    await org.advance(id)
    expect(await org.record(id)).toMatchObject({ status: 'failed' })
    expect(await org.accepted(id)).toEqual([])
    expect(await payTo(beneficiary)).toMatchObject({ status: 403, body: { code: 'SANCTIONS_MATCH' } })
    expect(await decide(match_id, 'confirm')).toMatchObject({ status: 409 })
  })

  it('cannot be renamed out of the match', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    const renamed = await org.call('PATCH', `/v1/beneficiaries/${beneficiary}`, {
      fname: 'Grace',
      lname: 'Wanjiru',
    })
    expect(renamed.status).toBe(200)
    const { payment_id } = (await payTo(beneficiary)).body.response
    expect(await org.accepted(payment_id)).toEqual([])
  })

  it('many renamed to one at once do not wait for each other’s connections', async () => {
    await org.addBeneficiary(bankBeneficiary(suspect))
    const ids = await Promise.all(Array.from({ length: 30 }, () => org.addBeneficiary(bankBeneficiary())))
    const renamed = await Promise.all(ids.map((id) => org.call('PATCH', `/v1/beneficiaries/${id}`, suspect)))
    expect(renamed.map(({ status }) => status)).toEqual(ids.map(() => 200))
  })

  it('somebody else is paid at once', async () => {
    const { payment_id } = (await payTo(await org.addBeneficiary(bankBeneficiary()))).body.response
    expect(await org.accepted(payment_id)).toHaveLength(1)
    expect(await matches()).toEqual([])
  })
})

describe('a payer who possibly is on a list', () => {
  const payer = { name: 'Tamrouz Kudlawi', email: 'payer@example.com', phone: '256783456789' }

  it('is not collected from until the match is cleared', async () => {
    const answer = await org.initiate(mobileMoneyPayin({ payer_details: payer }))
    const id = answer.body.response.payment_id
    expect(await onlyMatch()).toMatchObject({
      subject_kind: 'payer',
      payment_id: id,
      person: { name: payer.name },
    })
    await org.advance(id)
    expect(await org.accepted(id)).toEqual([])
    await approveChange(t, await decide((await onlyMatch()).match_id, 'clear'))
    await org.advance(id)
    expect(await org.accepted(id)).toHaveLength(1)
    expect(await org.accepted(await org.start(mobileMoneyPayin({ payer_details: payer })))).toHaveLength(1)
  })

  it('with a card, which is not stored, has to pay again', async () => {
    const id = await org.start(cardPayin({ payer_details: { name: payer.name, email: payer.email } }))
    await approveChange(t, await decide((await onlyMatch()).match_id, 'clear'))
    await org.advance(id)
    expect(await org.record(id)).toMatchObject({ status: 'failed' })
    expect(await org.accepted(id)).toEqual([])
  })

  it('confirmed once, is refused from then on', async () => {
    await org.start(mobileMoneyPayin({ payer_details: payer }))
    await decide((await onlyMatch()).match_id, 'confirm')
    expect(await org.initiate(mobileMoneyPayin({ payer_details: payer }))).toMatchObject({
      status: 403,
      body: { code: 'SANCTIONS_MATCH' },
    })
  })
})

describe('people behind an organisation', () => {
  const director = {
    first_name: 'Timrad',
    last_name: 'Sevholov',
    role: 'director',
    date_of_birth: '1963-04-28',
  }

  it('hold back what leaves it; only the operator sees the match', async () => {
    await t.owner.query(`update organizations set kyb_status = 'not_started' where org_id = $1`, [org.orgId])
    expect((await kybOf(t, org).initiate({ ...kybApplication(), people: [director] })).status).toBe(200)
    await t.owner.query(`update organizations set kyb_status = 'approved' where org_id = $1`, [org.orgId])
    expect(await matches()).toEqual([])
    const [match] = await matches(operator(), `&org_id=${org.orgId}`)
    expect(match).toMatchObject({ subject_kind: 'kyb', entry: { entry_id: '3' } })
    const { payment_id } = (await payTo(await org.addBeneficiary(bankBeneficiary()))).body.response
    expect(await org.accepted(payment_id)).toEqual([])
    expect((await decide(match.match_id, 'confirm')).status).toBe(404)
    expect((await decide(match.match_id, 'clear', operator())).status).toBe(200)
    await org.advance(payment_id)
    expect(await org.accepted(payment_id)).toHaveLength(1)
  })
})

describe('who sees and decides', () => {
  let matchId: string
  beforeEach(async () => {
    await org.addBeneficiary(bankBeneficiary(suspect))
    matchId = (await onlyMatch()).match_id
  })

  it('another organisation finds nothing', async () => {
    const stranger = await openPayments(t)
    expect(await matches(stranger.credential)).toEqual([])
    expect(
      (await t.call('GET', `/v1/screening/matches/${matchId}`, { as: stranger.credential })).status,
    ).toBe(404)
    expect((await decide(matchId, 'clear', stranger.credential)).status).toBe(404)
    expect((await decide(matchId, 'confirm', stranger.credential)).status).toBe(404)
    const named = await t.call('GET', `/v1/screening/matches?org_id=${org.orgId}`, {
      as: stranger.credential,
    })
    expect(named.status).toBe(403)
  })

  it('staff and viewers neither see nor decide', async () => {
    for (const role of ['staff', 'viewer'] as const) {
      const { token } = await addPerson(t, org.orgId, role)
      expect((await t.call('GET', '/v1/screening/matches', { as: token })).status).toBe(403)
      expect((await decide(matchId, 'confirm', token)).status).toBe(403)
    }
  })

  it('an administrator of the organisation does not approve what another one asked for', async () => {
    const other = await addPerson(t, org.orgId, 'org-admin')
    const { request_id } = (await decide(matchId, 'clear')).body.data
    const path = `/v1/organizations/${org.orgId}/change-requests/${request_id}/approve`
    expect((await t.call('POST', path, { as: other.token, body: {} })).status).toBe(403)
    expect((await onlyMatch()).status).toBe('open')
  })

  it('an operator needs another one, if there is another', async () => {
    const second = await addOperator(t)
    const asked = await decide(matchId, 'clear', operator())
    expect(asked.status).toBe(202)
    const path = `/v1/organizations/${org.orgId}/change-requests/${asked.body.data.request_id}/approve`
    expect((await t.call('POST', path, { as: operator(), body: {} })).status).toBe(403)
    expect((await t.call('POST', path, { as: second.token, body: {} })).status).toBe(200)
    expect((await onlyMatch()).status).toBe('cleared')
    await t.owner.query('delete from members where user_id = $1', [second.userId])
  })

  it('every decision is in the audit log, without the name of anybody', async () => {
    await decide(matchId, 'confirm')
    const { rows } = await t.owner.query<{ action: string; entry: string }>(
      `select action, to_jsonb(audit_log)::text as entry from audit_log where org_id = $1 and resource_id = $2`,
      [org.orgId, matchId],
    )
    expect(rows.map(({ action }) => action)).toEqual(['sanctions-match.confirm'])
    expect(rows[0]?.entry).not.toMatch(/nduezemi|passports/i)
  })

  it('names are sealed in the database', async () => {
    const { rows } = await t.owner.query<{ stored: string }>(
      `select encode(person_sealed, 'escape') as stored from sanctions_matches where org_id = $1`,
      [org.orgId],
    )
    expect(rows[0]?.stored).not.toMatch(/nduezemi/i)
  })
})
