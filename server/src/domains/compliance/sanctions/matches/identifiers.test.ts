import { rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, approveChange } from '../../../../../test/app/people.ts'
import { createPersonKeysDir } from '../../../../../test/app/person-keys.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { eraserOf } from '../../../office/privacy/testing/erase-people.ts'
import { loadList } from '../lists/load-list.ts'
import { ofacXml, writeListFile } from '../testing/list-files.ts'

const directory = createPersonKeysDir()
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent', PERSON_KEYS_DIR: directory } })
const by = eraserOf(t)
afterAll(() => rmSync(directory, { recursive: true }))

let org: OrgPayments
beforeAll(async () => {
  const path = await writeListFile('sdn.xml', ofacXml([{ uid: '1', first: 'Oluakin', last: 'NDUEZEMI' }]))
  await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await t.deps.sanctions.refresh()
})
beforeEach(async () => {
  org = await openPayments(t)
})

const suspect = { fname: 'Oluakin', lname: 'Nduezemi' }
const matches = async (): Promise<Json[]> =>
  (await org.call('GET', '/v1/screening/matches?limit=100')).body.data
const decide = async (decision: 'clear' | 'confirm'): Promise<CallAnswer> => {
  const [match] = await matches()
  const path = `/v1/screening/matches/${match.match_id}/${decision}`
  const answer = await org.call('POST', path, { reason: 'Compared the passports.' })
  return decision === 'clear' ? approveChange(t, answer) : answer
}
const pay = async (name: Json): Promise<CallAnswer> =>
  org.initiate(bankPayout(await org.addBeneficiary(bankBeneficiary(name))))
const card = (email: string, name: string): Promise<CallAnswer> =>
  org.initiate(cardPayin({ payer_details: { name, email } }))

describe('an account of somebody who was confirmed to be on a list', () => {
  it('takes no money under another name, until the decision was corrected', async () => {
    expect((await pay(suspect)).body.response.status).toBe('confirmed')
    await decide('confirm')
    const other = { fname: 'Marta', lname: 'Brenwick' }
    expect((await pay(other)).body.code).toBe('SANCTIONS_MATCH')
    await decide('clear')
    expect((await pay(other)).status).toBe(200)
  })

  it('does not stop payouts of the same organisation to other accounts', async () => {
    await pay(suspect)
    await decide('confirm')
    const account = { account_number: '0690000063', bank_code: '044', bank_name: 'Access Bank' }
    const other = { fname: 'Marta', lname: 'Brenwick', email: 'marta@example.com', bank_details: account }
    const beneficiary = await org.addBeneficiary(bankBeneficiary(other))
    expect((await org.initiate(bankPayout(beneficiary, { bank_account: account }))).body.code).toBeUndefined()
  })

  it('stops what waits for it under another name', async () => {
    const policies = [{ currency: 'NGN', payout_from: 1 }]
    const path = `/v1/organizations/${org.orgId}/approval-policies`
    await approveChange(t, await org.call('PUT', path, { policies }))
    const waiting = (await pay({ fname: 'Marta', lname: 'Brenwick' })).body.response.payment_id
    await pay(suspect)
    await decide('confirm')
    const people = [await addPerson(t, org.orgId, 'staff'), await addPerson(t, org.orgId, 'org-admin')]
    for (const { token } of people)
      await t.call('POST', `/v1/payments/${waiting}/review`, {
        as: token,
        body: { decision: 'approve', comments: 'Seen' },
      })
    await org.advance(waiting)
    expect(await org.record(waiting)).toMatchObject({
      status: 'failed',
      failure: { code: 'SANCTIONS_MATCH' },
    })
  })

  it('is that of a payer, too, by the e-mail address in any spelling', async () => {
    await card('Olu.Akin@example.com', 'Oluakin Nduezemi')
    await decide('confirm')
    expect((await card('olu.akin@EXAMPLE.com', 'Marta Brenwick')).body.code).toBe('SANCTIONS_MATCH')
    expect((await card('marta@example.com', 'Marta Brenwick')).status).toBe(200)
  })

  it('is nobody’s in another organisation', async () => {
    await card('olu@example.com', 'Oluakin Nduezemi')
    await decide('confirm')
    const stranger = await openPayments(t)
    const body = cardPayin({ payer_details: { name: 'Marta Brenwick', email: 'olu@example.com' } })
    expect((await stranger.initiate(body)).status).toBe(200)
  })
})

describe('an erasure', () => {
  const confirmedPayer = async (): Promise<string> => {
    const id = (await card('olu@example.com', 'Oluakin Nduezemi')).body.response.payment_id
    return id
  }
  const decideLongAgo = (days: number) =>
    t.owner.query(
      `update sanctions_matches set decided_at = now() - make_interval(days => $1) where org_id = $2`,
      [days, org.orgId],
    )

  it('is refused while a match is open, and for five years after it was confirmed', async () => {
    const id = await confirmedPayer()
    await t.owner.query(`update payments set status = 'failed' where payment_id = $1`, [id])
    const ask = () => by.request(org, { payment_id: id })
    expect((await ask()).body.code).toBe('NOT_ERASABLE')
    await decide('confirm')
    await decideLongAgo(1824)
    expect((await ask()).body.code).toBe('NOT_ERASABLE')
  })

  it('leaves only the keys, and they still block the account', async () => {
    const id = await confirmedPayer()
    await decide('confirm')
    await org.advance(id)
    await decideLongAgo(1826)
    expect((await by.erase(org, { payment_id: id })).status).toBe('done')
    const [match] = await matches()
    expect(match.person).toEqual({ name: null, date_of_birth: null, country: null })
    const whole = await org.call('GET', `/v1/screening/matches/${match.match_id}`)
    expect(whole.body.data.comparison.closest_name).toBe('')
    expect((await card('olu@example.com', 'Marta Brenwick')).body.code).toBe('SANCTIONS_MATCH')
  })
})

describe('a name in a script that cannot be compared', () => {
  const unreadable = '\u2603\u2604 \u2605'

  it('waits for people, and is paid once they have cleared it', async () => {
    const id = (await card('runa@example.com', unreadable)).body.response.payment_id
    expect(await org.attempts(id)).toEqual([])
    expect(await matches()).toMatchObject([{ source: 'script', entry: { names: [] }, status: 'open' }])
  })

  it('of a payee is paid once it was cleared, and another such name is not', async () => {
    const first = (await pay({ fname: unreadable, lname: unreadable })).body.response.payment_id
    await decide('clear')
    await org.advance(first)
    expect(await org.attempts(first)).toHaveLength(1)
    const second = (await pay({ fname: unreadable, lname: '\u2606' })).body.response.payment_id
    expect(await org.attempts(second)).toEqual([])
  })
})
