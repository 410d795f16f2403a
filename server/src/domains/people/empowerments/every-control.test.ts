import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { addPerson, openOrganization, personBody } from '../../../../test/app/people.ts'
import type { CallAnswer } from '../../../../test/app/test-app.ts'
import { createPersonKeysDir } from '../../../../test/app/person-keys.ts'
import { registerEveryRoute } from '../../../../test/contract/every-route.ts'
import {
  ampleFunds,
  createTestClock,
  paymentsOf,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'
import { apiRoutes } from '../../../main/routes.ts'
import { loadList } from '../../compliance/sanctions/lists/load-list.ts'
import { ofacXml, writeListFile } from '../../compliance/sanctions/testing/list-files.ts'
import { must, type ControlledCall, type ControlledWorld, type Decide } from './testing/controlled-call.ts'
import { operatorCalls } from './testing/operator-calls.ts'
import { adjustment, organizationCalls, pooledCalls } from './testing/organization-calls.ts'
import { payoutCalls } from './testing/payout-calls.ts'

const day = 24 * 60 * 60_000
const directory = createPersonKeysDir()
const clock = createTestClock()
const t = usePayments({
  delayMs: untilSettled,
  clock,
  env: { PERSON_KEYS_DIR: directory, LOG_LEVEL: 'silent' },
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Root has added all others: the unrelated one a month ago, and the two logins of a thief yesterday. */
let operators: Record<'root' | 'unrelated' | 'sock' | 'otherSock', string>
beforeAll(async () => {
  const unrelated = await addOperator()
  clock.pass(29 * day)
  const [sock, otherSock] = [await addOperator(), await addOperator()]
  clock.pass(2 * day)
  operators = { root: t.seed.platformAdmin.api_key, unrelated, sock, otherSock }
  const path = await writeListFile('sdn.xml', ofacXml([{ uid: '1', first: 'Oluakin', last: 'NDUEZEMI' }]))
  await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await t.deps.sanctions.refresh()
})

async function addAlone(orgId: string, as: string, role: string): Promise<string> {
  const person = personBody()
  must(await t.call('POST', `/v1/organizations/${orgId}/members`, { as, body: { ...person, role } }), 201)
  return t.identity.sign({ sub: person.user_id, org_id: orgId })
}
const addOperator = (): Promise<string> =>
  addAlone(t.seed.platformAdmin.org_id, t.seed.platformAdmin.api_key, 'platform-admin')

async function openTenant(): Promise<ControlledWorld & { admin: string }> {
  const { orgId, admin } = await openOrganization(t, 'NG')
  await seedFunds(t.deps, orgId, ampleFunds)
  const org = paymentsOf(t, orgId, admin.token)
  return { t, org, operators, adminId: admin.userId, admin: admin.token }
}

/** Its administrator has added the two socks, and the operator the second one. */
async function openFourEyes() {
  const world = await openTenant()
  const { admin, org } = world
  const people = {
    admin,
    second: (await addPerson(t, org.orgId, 'org-admin')).token,
    sock: await addAlone(org.orgId, admin, 'org-admin'),
    otherSock: await addAlone(org.orgId, admin, 'org-admin'),
  }
  return { world, people }
}

/** Makes the call as this person, after the organisation has got its first policy. */
async function propose({ arrange }: ControlledCall, world: ControlledWorld, as: string): Promise<Decide> {
  const ask = await arrange(world)
  const policies = [{ currency: 'NGN', payout_from: 1000, refund_from: 1000 }]
  const path = `/v1/organizations/${world.org.orgId}/approval-policies`
  must(await world.org.call('PUT', path, { policies }), 200)
  return ask(as)
}

const isRelated = ({ body }: CallAnswer): boolean =>
  String(body.message).includes('so you do not count as a second person here')

/** The status for each of them in turn, and whether it was refused because they are related. */
async function decideAs(decide: Decide, people: Record<string, string>): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, as] of Object.entries(people)) {
    const answer = await decide(as)
    found[name] = isRelated(answer) ? `${answer.status} related` : String(answer.status)
  }
  return found
}

const titled = (calls: readonly ControlledCall[]): [string, ControlledCall][] =>
  calls.map((call) => [call.about === undefined ? call.route : `${call.route} (${call.about})`, call])

describe('in an organisation another administrator decides, and no relative', () => {
  it.each(titled([...payoutCalls, ...organizationCalls]))('%s', async (_title, call) => {
    const { world, people } = await openFourEyes()
    const { sock, admin, otherSock, second } = people
    const decide = await propose(call, world, sock)
    expect(await decideAs(decide, { itself: sock, admin, otherSock, second })).toEqual({
      itself: '403',
      admin: '403 related',
      otherSock: '403 related',
      second: '200',
    })
  })
})

describe('about pooled money and sanctions two operators decide who are not related to each other', () => {
  it.each(titled(pooledCalls))('%s', async (_title, call) => {
    const { world, people } = await openFourEyes()
    const { sock: itself, ...others } = people
    const decide = await propose(call, world, itself)
    const refused = { itself: '403', admin: '403', second: '403', otherSock: '403' }
    expect(await decideAs(decide, { itself, ...others })).toEqual(refused)
    const { sock, otherSock, root, unrelated } = operators
    expect(await decideAs(decide, { sock, otherSock, root })).toEqual({
      sock: '200',
      otherSock: '403 related',
      root: '403 related',
    })
    expect(must(await decide(unrelated), 200).data.status).toBe('approved')
  })
})

describe('about what somebody asks for whom one of the operator’s people has added', () => {
  it('their relatives at the operator do not count as the second one', async () => {
    const { root, sock, otherSock, unrelated } = operators
    const admin = personBody()
    const body = { name: 'Of the sock', country: 'NG', admin }
    const opened = must(await t.call('POST', '/v1/organizations', { as: sock, body }), 201).data
    const proposed = await t.call('POST', '/v1/ledger/adjustments', {
      as: await t.identity.sign({ sub: admin.user_id, org_id: opened.org_id }),
      body: { debit: 'opening', credit: 'available', ...adjustment },
    })
    const { request_id } = must(proposed, 202).data
    const path = `/v1/organizations/${opened.org_id}/change-requests/${request_id}`
    const isWaitingFor = async (as: string): Promise<boolean> =>
      (await t.call('GET', '/v1/users/me/waiting', { as })).text.includes(request_id)
    const decide: Decide = (as) => t.call('POST', `${path}/approve`, { as, body: {} })
    expect(await decideAs(decide, { sock, otherSock, root })).toEqual({
      sock: '200',
      otherSock: '403 related',
      root: '403 related',
    })
    expect(await isWaitingFor(root)).toBe(false)
    expect(await isWaitingFor(unrelated)).toBe(true)
    expect(must(await decide(unrelated), 200).data.status).toBe('approved')
  })
})

describe('at the operator another of its people decides, and no relative', () => {
  it.each(titled(operatorCalls))('%s', async (_title, call) => {
    const { sock, root, otherSock, unrelated } = operators
    const decide = await propose(call, await openTenant(), sock)
    expect(await decideAs(decide, { itself: sock, root, otherSock, unrelated })).toEqual({
      itself: '403',
      root: '403 related',
      otherSock: '403 related',
      unrelated: '200',
    })
  })
})

/** The rows above exercise the first four; routes.test.ts the confirmation of a member. */
const decisions = [
  'POST /v1/organizations/:org_id/change-requests/:request_id/approve',
  'POST /v1/payments/:payment_id/review',
  'POST /v1/refunds/:refund_id/review',
  'POST /v1/payouts/batches/:batch_id/approve',
  'POST /v1/organizations/:org_id/members/:user_id/confirm',
]

describe('the rows', () => {
  it('are all routes that need somebody else', async () => {
    const registered = new Set<string>()
    await registerEveryRoute(t, apiRoutes(t.deps), ({ method, path, control }) => {
      if (control === 'second-person' || control === 'two-approvals') registered.add(`${method} ${path}`)
    })
    const calls = [...payoutCalls, ...organizationCalls, ...pooledCalls, ...operatorCalls]
    const covered = new Set([...decisions, ...calls.map(({ route }) => route)])
    expect([...covered].toSorted()).toEqual([...registered].toSorted())
  })
})
