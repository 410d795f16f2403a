import { beforeAll, describe, expect, it } from 'vitest'
import {
  usePayments,
  bankBeneficiary,
  mobileMoneyPayin,
  openPayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { startTestWorker } from '../../../../../test/app/test-worker.ts'
import { loadList } from '../lists/load-list.ts'
import { euXml, ofacXml, writeListFile } from '../testing/list-files.ts'
import { advanceRun } from './advance-run.ts'
import type { RunDeps } from './record.ts'

const t = usePayments()
let org: OrgPayments
const people = 450

beforeAll(async () => {
  org = await openPayments(t)
  await org.addBeneficiary(bankBeneficiary({ fname: 'Oluakin', lname: 'Nduezemi' }))
  for (let at = 0; at < people; at += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, one) =>
        org.addBeneficiary(bankBeneficiary({ fname: 'Grace', lname: `Wanjiru${'abcdefghij'[one % 10]}` })),
      ),
    )
  await org.start(mobileMoneyPayin({ payer_details: { name: 'Tamroz Qudlawi', email: 'a@example.com' } }))
})

const load = async (content: string, allowsShrinking = false) =>
  loadList(t.deps, { path: await writeListFile('list.xml', content), loadedBy: 'operator', allowsShrinking })
const entry = { uid: '1', first: 'Oluakin', last: 'NDUEZEMI' }
const payerEntry = { uid: '2', first: 'Tamroz', last: 'QUDLAWI' }
const status = async () =>
  (await t.call('GET', '/v1/platform/sanctions-lists', { as: t.seed.platformAdmin.api_key })).body.data
const kindsOf = async (): Promise<string[]> => {
  const { rows } = await t.owner.query<{ subject_kind: string }>(
    'select subject_kind from sanctions_matches where org_id = $1 order by subject_kind',
    [org.orgId],
  )
  return rows.map((row) => row.subject_kind)
}
const newestRun = async () => (await status()).runs[0]

describe('a new version of a list', () => {
  it('screens everybody again, and goes on where a worker died', async () => {
    await load(ofacXml([entry, payerEntry]))
    const { run_id: runId } = await newestRun()
    await advanceRun(t.deps, { runId })
    const before = await newestRun()
    expect(before).toMatchObject({ phase: 'beneficiaries', screened: 200 })
    // The worker dies after it has screened its people and before it has written how far it is.
    const dying: RunDeps = { ...t.deps, db: { ...t.deps.db, acrossOrgs: dyingAfter(t.deps, 1) } }
    await expect(advanceRun(dying, { runId })).rejects.toThrow('killed')
    expect(await newestRun()).toEqual(before)
    while ((await advanceRun(t.deps, { runId })) !== undefined);
    expect(await newestRun()).toMatchObject({ phase: 'done', matched: 2, finished_at: expect.any(String) })
    expect((await newestRun()).screened).toBeGreaterThanOrEqual(people + 2)
    expect(await kindsOf()).toEqual(['beneficiary', 'payer'])
  })

  it('is screened by the engine, whose worker stops in the middle and starts again', async () => {
    const worker = await startTestWorker(t)
    await load(
      ofacXml([
        { ...entry, aka: 'Nwachi Okebola' },
        payerEntry,
        { uid: '9', first: 'Kelmor', last: 'Velquin' },
      ]),
    )
    await until('the run has begun', async () => (await newestRun()).screened > 0)
    await worker.stop()
    const second = await startTestWorker(t)
    await until('the run is done', async () => (await newestRun()).phase === 'done')
    await second.stop()
    expect((await newestRun()).screened).toBeGreaterThanOrEqual(people + 2)
    expect(await kindsOf()).toEqual(['beneficiary', 'payer'])
  })

  it('replaces an older run, and the same file again changes nothing', async () => {
    await load(euXml)
    const replaced = (await newestRun()).run_id
    expect((await load(euXml)).isNew).toBe(false)
    await load(ofacXml([entry, payerEntry]))
    const { runs, in_force } = await status()
    expect(runs.find((run: { run_id: string }) => run.run_id === replaced).phase).toBe('superseded')
    expect(await advanceRun(t.deps, { runId: replaced })).toBeUndefined()
    expect(in_force.map((one: { source: string }) => one.source)).toEqual(['eu', 'ofac'])
  })

  it('that has lost most of its entries is refused unless the operator says so', async () => {
    const many = Array.from({ length: 10 }, (_, at) => ({
      uid: String(at),
      first: 'Kelmor',
      last: `Velquin${at}`,
    }))
    await load(ofacXml(many))
    await expect(load(ofacXml([entry]))).rejects.toThrow('--allow-shrinking')
    expect((await load(ofacXml([entry]), true)).isNew).toBe(true)
  })

  it('is taken into use by every process within seconds', async () => {
    const watching = await t.deps.sanctions.start()
    await load(ofacXml([{ uid: '77', first: 'Brenash', last: 'Cordalton' }, entry]))
    const found = async (): Promise<number> =>
      (await t.deps.sanctions.find({ name: 'Brenash Cordalton' })).length
    await until('the new entry is found', async () => (await found()) === 1)
    await watching.stop()
    expect(await found()).toBe(1)
  })

  it('is in the audit log', async () => {
    const { rows } = await t.owner.query<{ action: string }>(
      `select action from audit_log where action = 'sanctions-list.publish'`,
    )
    expect(rows.length).toBeGreaterThanOrEqual(5)
  })

  it('its status is for the operator alone', async () => {
    expect((await org.call('GET', '/v1/platform/sanctions-lists')).status).toBe(403)
  })
})

/** The transactions after the first few end with the process. */
function dyingAfter({ db }: Pick<RunDeps, 'db'>, count: number): RunDeps['db']['acrossOrgs'] {
  let left = count
  return (work) => {
    left--
    return left < 0 ? Promise.reject(new Error('killed')) : db.acrossOrgs(work)
  }
}
