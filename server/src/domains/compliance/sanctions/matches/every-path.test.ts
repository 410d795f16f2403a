import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approveChange } from '../../../../../test/app/people.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  cardPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { wholeRampBody } from '../../../../../test/worlds/test-ramps.ts'
import { loadList } from '../lists/load-list.ts'
import { ofacXml, unXml, writeListFile } from '../testing/list-files.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeAll(async () => {
  const entries = [
    { uid: '1', first: 'Oluakin', last: 'NDUEZEMI' },
    // The name that the simulated bank has for every account.
    { uid: '2', first: 'Sandbox', last: 'HOLDER' },
  ]
  const path = await writeListFile('sdn.xml', ofacXml(entries))
  await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await t.deps.sanctions.refresh()
})
beforeEach(async () => {
  org = await openPayments(t)
})

const matches = async (): Promise<Json[]> =>
  (await t.call('GET', '/v1/screening/matches?limit=100', { as: org.credential })).body.data
const ramp = async (change: object = {}) =>
  org.call('POST', '/v1/payments-init/ramp', {
    ...(await wholeRampBody(org)),
    beneficiary_name: 'Oluakin Nduezemi',
    ...change,
  })

describe('a listed name', () => {
  it('403: of a ramp, until the match was cleared', async () => {
    const refused = await ramp()
    expect([refused.status, refused.body.code]).toEqual([403, 'SCREENING_OPEN'])
    expect((await ramp()).status).toBe(403)
    const [match] = await matches()
    const path = `/v1/screening/matches/${match.match_id}/clear`
    const body = { reason: 'Compared the passports.' }
    await approveChange(t, await t.call('POST', path, { as: org.credential, body }))
    expect((await ramp()).body.code).not.toBe('SCREENING_OPEN')
  })

  it('403: of a ramp, for good once the match was confirmed', async () => {
    await ramp()
    const [match] = await matches()
    const path = `/v1/screening/matches/${match.match_id}/confirm`
    await t.call('POST', path, { as: org.credential, body: { reason: 'The same passport.' } })
    expect((await ramp()).body.code).toBe('SANCTIONS_MATCH')
  })

  it('200: of a card’s holder, and the payin waits', async () => {
    const plain = cardPayin()
    const card_details = { ...plain.card_details, card_holder_name: 'Oluakin Nduezemi' }
    const { response } = (await org.initiate({ ...plain, card_details })).body
    expect(await org.attempts(response.payment_id)).toEqual([])
    expect(await matches()).toHaveLength(1)
  })
})

it('the name at the bank is compared, too, where it was asked', async () => {
  expect((await org.call('POST', '/v1/beneficiaries', bankBeneficiary())).status).toBe(201)
  expect(await matches()).toEqual([])
  await org.call('POST', '/v1/beneficiaries?verify_name=true', bankBeneficiary())
  expect(await matches()).toMatchObject([
    {
      subject_kind: 'beneficiary',
      person: { name: expect.stringContaining('SANDBOX HOLDER') },
      status: 'open',
    },
  ])
})

it('an organisation of one rare word is found within a longer name, and a person of one word is not', async () => {
  const entries = unXml
    .replace('Brenquin &amp; Oakwick Trading', 'Zorvaquinbank')
    .replace(
      '<FIRST_NAME>Tamroz</FIRST_NAME><SECOND_NAME>Qudlawi</SECOND_NAME>',
      '<FIRST_NAME>Melkvorash</FIRST_NAME>',
    )
  await loadList(t.deps, {
    path: await writeListFile('un.xml', entries),
    loadedBy: 'operator',
    allowsShrinking: true,
  })
  await t.deps.sanctions.refresh()
  const found = async (name: string) =>
    (await t.deps.sanctions.find({ name })).map(({ entry }) => entry.entryId)
  expect(await found('Zorvaquinbank Export Services')).toEqual(['1002'])
  expect(await found('Melkvorash Peter Okello')).toEqual([])
})
