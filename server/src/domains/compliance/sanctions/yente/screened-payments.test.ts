import { beforeEach, describe, expect, it } from 'vitest'
import { approveChange } from '../../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import { useStarted } from '../../../../../test/app/use-started.ts'
import {
  bankBeneficiary,
  bankPayout,
  mobileMoneyPayin,
  openPayments,
  startTestPayments,
  untilSettled,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { loadList } from '../lists/load-list.ts'
import { advanceRun } from '../runs/advance-run.ts'
import { ofacXml, writeListFile } from '../testing/list-files.ts'
import { startFakeYente, type FakeEntity } from './testing/fake-yente.ts'

const yente = useStarted(startFakeYente, (fake) => fake.close())
const t = useStarted(
  () =>
    startTestPayments({
      delayMs: untilSettled,
      env: { LOG_LEVEL: 'silent', SANCTIONS_YENTE_URL: yente.url, SANCTIONS_YENTE_TIMEOUT_MS: '10000' },
    }),
  (payments) => payments.close(),
)

const person = (id: string, name: string): FakeEntity => ({
  id,
  schema: 'Person',
  properties: { name: [name], topics: ['sanction'], programId: ['US-GLOMAG'] },
  datasets: ['us_ofac_sdn'],
})
const suspect = { fname: 'Oluakin', lname: 'Nduezemi' }
const payer = { name: 'Tamroz Qudlawi', email: 'payer@example.com', phone: '256783456789' }

let org: OrgPayments
let versions = 0
/** The server indexes a new version with these entities. */
const publish = async (entities: FakeEntity[]): Promise<void> => {
  const version = `20260127${String(versions++).padStart(6, '0')}-abc`
  yente.entities = entities
  yente.datasets = [{ name: 'sanctions', version, index_version: version }]
  await t.deps.sanctions.refresh()
}
beforeEach(async () => {
  yente.search = 'answers'
  await publish([person('NK-1', 'Oluakin Nduezemi'), person('NK-2', 'Tamroz Qudlawi')])
  org = await openPayments(t)
})

const matches = async (): Promise<Json[]> =>
  (await t.call('GET', '/v1/screening/matches?limit=100', { as: org.credential })).body.data
const clear = async (matchId: string): Promise<unknown> =>
  approveChange(
    t,
    await t.call('POST', `/v1/screening/matches/${matchId}/clear`, {
      as: org.credential,
      body: { reason: 'Compared the passports.' },
    }),
  )
const payTo = async (beneficiary: string): Promise<string> => org.start(bankPayout(beneficiary))

describe('somebody whom the yente server finds', () => {
  it('is not paid until the match is cleared, which shows the whole entry', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    const id = await payTo(beneficiary)
    await org.advance(id)
    expect([await org.attempts(id), await org.accepted(id)]).toEqual([[], []])
    const [match] = await matches()
    expect(match).toMatchObject({
      beneficiary_id: beneficiary,
      status: 'open',
      source: 'yente',
      score: 1,
      list_version_id: t.deps.sanctions.inUse().versionIds[0],
      entry: {
        entry_id: 'NK-1',
        kind: 'person',
        names: ['Oluakin Nduezemi'],
        programmes: ['US-GLOMAG', 'sanction', 'us_ofac_sdn'],
      },
    })
    await clear(match.match_id)
    await org.advance(id)
    expect(await org.accepted(id)).toHaveLength(1)
  })

  it('is not collected from', async () => {
    const id = await org.start(mobileMoneyPayin({ payer_details: payer }))
    await org.advance(id)
    expect(await org.accepted(id)).toEqual([])
    expect(await matches()).toMatchObject([{ payment_id: id, entry: { entry_id: 'NK-2' } }])
  })

  it('does not hold anybody else', async () => {
    const id = await payTo(await org.addBeneficiary(bankBeneficiary()))
    expect(await org.accepted(id)).toHaveLength(1)
    expect(await matches()).toEqual([])
  })
})

describe('while the server does not answer', () => {
  const initiate = (body: Json): Promise<CallAnswer> =>
    org.initiate(body, { headers: { 'idempotency-key': 'one' } })

  it('503: nobody is registered, paid or collected from; the same request succeeds later', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    yente.search = 'fails'
    expect((await org.call('POST', '/v1/beneficiaries', bankBeneficiary())).status).toBe(503)
    expect((await org.initiate(mobileMoneyPayin({ payer_details: payer }))).status).toBe(503)
    const body = bankPayout(beneficiary)
    const refused = await initiate(body)
    expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    const { rows } = await t.owner.query('select from payments where org_id = $1', [org.orgId])
    expect(rows).toEqual([])
    yente.search = 'answers'
    const accepted = await initiate(body)
    expect(await org.accepted(accepted.body.response.payment_id)).toHaveLength(1)
  })
})

describe('a new version of the dataset', () => {
  it('screens a payment that waits again before it is sent', async () => {
    const id = await payTo(await org.addBeneficiary(bankBeneficiary(suspect)))
    const [first] = await matches()
    await publish([person('NK-1', 'Oluakin Nduezemi'), person('NK-3', 'Oluakin Nduezemi')])
    await clear(first.match_id)
    await org.advance(id)
    expect(await org.accepted(id)).toEqual([])
    const found = (await matches()).map((match): string => `${match.entry.entry_id} ${match.status}`)
    expect(found.toSorted()).toEqual(['NK-1 cleared', 'NK-3 open'])
  })

  it('finds a beneficiary who was registered before it in the run that a loaded list starts', async () => {
    await publish([])
    const beneficiary = await org.addBeneficiary(bankBeneficiary(suspect))
    await publish([person('NK-1', 'Oluakin Nduezemi')])
    expect(await matches()).toEqual([])
    const path = await writeListFile('sdn.xml', ofacXml([{ uid: '1', first: 'Nobody', last: 'OFTHISNAME' }]))
    await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
    const status = await t.call('GET', '/v1/platform/sanctions-lists', { as: t.seed.platformAdmin.api_key })
    const [{ run_id: runId }] = status.body.data.runs
    while ((await advanceRun(t.deps, { runId })) !== undefined);
    expect(await matches()).toMatchObject([{ beneficiary_id: beneficiary, source: 'yente' }])
  })
})
