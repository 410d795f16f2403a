import { takeTurns } from '../../../../../test/app/take-turns.ts'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Program } from '@switchyard/stack/programs.ts'
import { crashingWorkers } from '../../../../../test/processes/processes-crashing.ts'
import {
  bankBeneficiary,
  mobileMoneyPayin,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { loadList } from '../lists/load-list.ts'
import { ofacXml, writeListFile } from '../testing/list-files.ts'

const t = usePayments()
const strangers = 440
const caseLimitMs = 90_000
/** Given names of people on the list, who are registered among the strangers: in each batch there are some. */
const given = ['Oluakin', 'Tamroz', 'Brenash', 'Kelmor', 'Wodrim', 'Zefalo']
const listed = given.map((first, at) => ({ uid: String(at), first, last: 'NDUEZEMI' }))

let org: OrgPayments
let startWorker: (crashStep: number) => Promise<Program>
let worker: Program | undefined
let beneficiaries: string[]
let payin: string
beforeAll(async () => {
  org = await openPayments(t)
  beneficiaries = []
  for (const fname of given) {
    for (let at = 0; at < strangers / given.length; at += 25)
      await Promise.all(
        Array.from({ length: 25 }, () =>
          org.addBeneficiary(bankBeneficiary({ fname: 'Grace', lname: 'Wanjiru' })),
        ),
      )
    beneficiaries.push(await org.addBeneficiary(bankBeneficiary({ fname, lname: 'Nduezemi' })))
  }
  payin = await org.start(
    mobileMoneyPayin({ payer_details: { name: 'Tamroz Nduezemi', email: 'a@example.com' } }),
  )
  startWorker = await crashingWorkers(t, 'crashing-screening')
}, caseLimitMs)
afterEach(() => worker?.stop())

interface Run {
  runId: string
  phase: string
  screened: number
  matched: number
}

const newestRun = async (): Promise<Run> => {
  const { rows } = await t.owner.query<Run>(
    `select run_id as "runId", phase, screened::integer, matched::integer from sanctions_runs
     order by started_at desc limit 1`,
  )
  return rows[0]! // a list was loaded before
}

/** Everybody who has to be found, once each. */
const found = async (): Promise<string[]> => {
  const { rows } = await t.owner.query<{ id: string }>(
    `select subject_id as id from sanctions_matches where org_id = $1 order by subject_id`,
    [org.orgId],
  )
  return rows.map(({ id }) => id)
}

/** How many people the run has to screen: all beneficiaries, and the payers of the last days. */
const everybody = async (): Promise<number> => {
  const { rows } = await t.owner.query<{ count: number }>(
    `select ((select count(*) from beneficiaries) +
       (select count(*) from payments where direction = 'inbound'))::integer as count`,
  )
  return rows[0]!.count // one row of sums
}

it.each(takeTurns([3, 8, 13, 21], 4))(
  'killed with -9 at step %i: the next worker ends the run, and nobody is left unscreened',
  { timeout: 2 * caseLimitMs },
  async (step) => {
    await t.owner.query('delete from sanctions_matches')
    // Another file each time, so that it is a new version.
    const entries = [...listed, { uid: `extra ${step}`, first: 'Nobody', last: `OFTHISNAME${step}` }]
    const path = await writeListFile('sdn.xml', ofacXml(entries))
    await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
    expect(await newestRun()).toMatchObject({ phase: 'beneficiaries', screened: 0 })
    const crashing = await startWorker(step)
    await until('the crash', () => Promise.resolve(!crashing.isRunning()), caseLimitMs)
    if ((await crashing.exited).signal !== 'SIGKILL') throw new Error(crashing.output())
    expect((await newestRun()).phase).not.toBe('done')
    worker = await startWorker(0)
    await until('the run is done', async () => (await newestRun()).phase === 'done', caseLimitMs)
    await worker.stop()
    expect(await newestRun()).toMatchObject({ screened: await everybody(), matched: given.length + 1 })
    expect(await found()).toEqual([...beneficiaries, payin].toSorted())
  },
)
