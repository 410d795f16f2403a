import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../../test/app/people.ts'
import { useApp, type CallAnswer, type Json } from '../../../../test/app/test-app.ts'
import {
  addOperator,
  lift,
  suspend,
  suspensionsPath,
  tryLifting,
  trySuspending,
} from './testing/suspend-as-operator.ts'

const t = useApp()
const keys = '/v1/public/api-keys'
let org: OpenedOrganization
let operator: string
beforeAll(async () => {
  org = await openOrganization(t)
  operator = t.seed.platformAdmin.api_key
})
// Whatever a test leaves suspended would stop the next one.
afterEach(async () => {
  await t.owner.query(`update suspensions set lifted_at = now(), lifted_by = 'test' where lifted_at is null`)
  await t.owner.query(`delete from members where first_name = 'Second' and last_name = 'Operator'`)
})

const read = (as: string): Promise<CallAnswer> => t.call('GET', `/v1/organizations/${org.orgId}`, { as })
const newKey = async (as: string): Promise<Json> =>
  (await t.call('POST', keys, { as, body: { name: 'a key' } })).body.data
const auditActions = async (orgId: string): Promise<string[]> => {
  const { rows } = await t.owner.query<{ action: string }>(
    `select action from audit_log where org_id = $1 and resource_type = 'suspension' order by audit_id`,
    [orgId],
  )
  return rows.map(({ action }) => action)
}

describe('201 and 200', () => {
  it('is in force at once; suspending again answers with the same suspension', async () => {
    const first = await trySuspending(t, { kind: 'organization', subject_id: org.orgId })
    expect(first).toMatchObject({
      status: 201,
      body: {
        data: { kind: 'organization', org_id: org.orgId, status: 'in_force', reason: 'Suspicious payouts.' },
      },
    })
    const again = await t.call('POST', suspensionsPath, {
      as: operator,
      body: { kind: 'organization', subject_id: org.orgId, reason: 'Again.' },
      unaudited: true,
    })
    expect([again.status, again.body.data]).toEqual([200, first.body.data])
    expect((await read(org.admin.token)).status).toBe(200)
    await lift(t, first.body.data.suspension_id)
    expect(await auditActions(org.orgId)).toEqual(['suspension.create', 'suspension.lift'])
  })

  it('a suspended member is refused at the next request, with their token and their keys', async () => {
    const person = await addPerson(t, org.orgId, 'org-admin')
    const { api_key: key } = await newKey(person.token)
    const suspension = await suspend(t, { kind: 'member', org_id: org.orgId, subject_id: person.userId })
    expect([(await read(person.token)).status, (await read(key)).status]).toEqual([401, 401])
    expect((await read(org.admin.token)).status).toBe(200)
    await lift(t, suspension)
    expect([(await read(person.token)).status, (await read(key)).status]).toEqual([200, 200])
  })

  it('a suspended key is refused, and so are the keys that were made with it', async () => {
    const parent = await newKey(org.admin.token)
    const child = await newKey(parent.api_key)
    const sibling = await newKey(org.admin.token)
    const body = { kind: 'api_key', org_id: org.orgId, subject_id: parent.api_key_id }
    const suspension = await suspend(t, body)
    const statuses = async () => [
      (await read(parent.api_key)).status,
      (await read(child.api_key)).status,
      (await read(sibling.api_key)).status,
    ]
    expect(await statuses()).toEqual([401, 401, 200])
    const rotated = await t.call('POST', `${keys}/${parent.api_key_id}/rotate`, { as: org.admin.token })
    expect(rotated.status).toBe(409)
    await lift(t, suspension)
    expect(await statuses()).toEqual([200, 200, 200])
  })

  it('the list has those in force and those that were lifted', async () => {
    const { orgId } = await openOrganization(t)
    const suspension = await suspend(t, { kind: 'organization', subject_id: orgId })
    const list = async (query: string): Promise<Json[]> =>
      (await t.call('GET', `${suspensionsPath}?org_id=${orgId}${query}`, { as: operator })).body.data
    expect(await list('&status=in_force')).toMatchObject([{ suspension_id: suspension }])
    await lift(t, suspension)
    expect(await list('&status=in_force')).toEqual([])
    const one = await t.call('GET', `${suspensionsPath}/${suspension}`, { as: operator })
    expect(one.body.data).toMatchObject({ status: 'lifted', lift_reason: 'It was a false alarm.' })
    expect(await list('&kind=organization')).toEqual([one.body.data])
  })
})

describe('202', () => {
  it('with a second operator lifting waits for them; whoever asked cannot approve it', async () => {
    const second = await addOperator(t)
    const suspension = await suspend(t, { kind: 'payouts' })
    const held = await tryLifting(t, suspension)
    expect(held).toMatchObject({ status: 202, body: { data: { kind: 'suspension.lift' } } })
    const { org_id, request_id } = held.body.data
    const path = `/v1/organizations/${org_id}/change-requests/${request_id}/approve`
    const approve = (as: string) => t.call('POST', path, { as, body: {} })
    expect((await approve(operator)).status).toBe(403)
    expect((await approve(org.admin.token)).status).toBe(403)
    expect((await approve(second.token)).status).toBe(200)
    const { body } = await t.call('GET', `${suspensionsPath}/${suspension}`, { as: operator })
    expect(body.data).toMatchObject({ status: 'lifted', lifted_by: second.userId })
  })

  it('an operator who suspended the other ones still lifts nothing alone', async () => {
    const second = await addOperator(t)
    const suspension = await suspend(t, { kind: 'payouts' })
    await suspend(t, { kind: 'member', org_id: second.orgId, subject_id: second.userId })
    expect((await tryLifting(t, suspension)).status).toBe(202)
  })
})

describe('400 and 404', () => {
  it.each([
    [{ kind: 'organization' }, 400],
    [{ kind: 'organization', subject_id: 'nonsense' }, 400],
    [{ kind: 'member', subject_id: 'somebody' }, 400],
    [{ kind: 'everything' }, 400],
    [{ kind: 'organization', subject_id: '01890000-0000-7000-8000-000000000000' }, 404],
    [{ kind: 'provider_account', subject_id: '01890000-0000-7000-8000-000000000000' }, 404],
  ])('%j', async (body, status) => {
    expect((await trySuspending(t, body)).status).toBe(status)
  })
})

describe('403', () => {
  it('only the operator suspends and lifts', async () => {
    const body = { kind: 'organization', subject_id: org.orgId }
    expect((await trySuspending(t, body, org.admin.token)).status).toBe(403)
    const suspension = await suspend(t, body)
    expect((await tryLifting(t, suspension, org.admin.token)).status).toBe(403)
  })

  it('a suspended operator cannot lift their own suspension, by no membership', async () => {
    const second = await addOperator(t)
    const body = { kind: 'member', org_id: second.orgId, subject_id: second.userId }
    const suspension = await suspend(t, body)
    expect((await tryLifting(t, suspension, second.token)).status).toBe(401)
    await t.owner.query(
      `insert into members (org_id, user_id, email, first_name, last_name, role)
       values ($1, $2, 'other@example.test', 'Second', 'Operator', 'platform-admin')`,
      [org.orgId, second.userId],
    )
    const otherToken = await t.identity.sign({ sub: second.userId, org_id: org.orgId })
    const answer = await tryLifting(t, suspension, otherToken)
    expect([answer.status, answer.body.message]).toEqual([
      403,
      'The suspension is about you, so others have to lift it.',
    ])
    const held = await tryLifting(t, suspension)
    const { org_id, request_id } = held.body.data
    const path = `/v1/organizations/${org_id}/change-requests/${request_id}/approve`
    expect((await t.call('POST', path, { as: otherToken, body: {} })).status).toBe(403)
  })
})

describe('409', () => {
  it('the last operator cannot be suspended, nor both at the same moment by each other', async () => {
    const { user_id, org_id } = t.seed.platformAdmin
    const first = { kind: 'member', org_id, subject_id: user_id }
    expect((await trySuspending(t, first)).status).toBe(409)
    const second = await addOperator(t)
    const answers = await Promise.all([
      trySuspending(t, first, second.token),
      trySuspending(t, { ...first, subject_id: second.userId }),
    ])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it('nobody suspends the key that they use, nor lifts twice', async () => {
    const { rows } = await t.owner.query<{ api_key_id: string; org_id: string }>(
      'select api_key_id, org_id from api_keys where user_id = $1',
      [t.seed.platformAdmin.user_id],
    )
    const body = { kind: 'api_key', org_id: rows[0]?.org_id, subject_id: rows[0]?.api_key_id }
    expect((await trySuspending(t, body)).status).toBe(409)
    const suspension = await suspend(t, { kind: 'organization', subject_id: org.orgId })
    await lift(t, suspension)
    expect((await tryLifting(t, suspension)).status).toBe(409)
  })
})
