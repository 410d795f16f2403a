import { beforeEach, describe, expect, it } from 'vitest'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { newId } from '../../../lib/ids.ts'
import { insertException } from './raise-exception.ts'
import { suggestedActions, type ExceptionKind } from './describe-kinds.ts'

const exceptions = '/v1/payments/exceptions'
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let staff: Person
beforeEach(async () => {
  org = await openPayments(t)
  staff = await addPerson(t, org.orgId, 'staff')
})

async function raised(ownerId = org.orgId, kind: ExceptionKind = 'missing_here'): Promise<string> {
  const exceptionId = newId()
  await t.deps.db.batchAcrossOrgs([
    insertException(ownerId, {
      exceptionId,
      kind,
      paymentId: null,
      provider: 'paystack',
      summary: 'Something was found',
      findingKey: exceptionId,
    }),
  ])
  return exceptionId
}
const operator = (): string => t.seed.platformAdmin.api_key
const assign = (id: string, user_id: string | null, as = org.credential): Promise<CallAnswer> =>
  t.call('PUT', `${exceptions}/${id}/assignee`, { as, body: { user_id } })
const note = (id: string, text: unknown, as = org.credential): Promise<CallAnswer> =>
  t.call('POST', `${exceptions}/${id}/notes`, { as, body: { note: text } })
const get = (id: string, as = org.credential): Promise<CallAnswer> =>
  t.call('GET', `${exceptions}/${id}`, { as })

describe('200', () => {
  it('an exception has an assignee and notes, oldest first', async () => {
    const id = await raised()
    expect((await get(id)).body.data).toMatchObject({ exception_id: id, assignee_id: null, notes: [] })
    expect((await assign(id, staff.userId)).body.data.assignee_id).toBe(staff.userId)
    expect((await note(id, 'Asked the provider.', staff.token)).status).toBe(201)
    await note(id, 'They answer tomorrow.')
    expect((await get(id)).body.data).toMatchObject({
      assignee_id: staff.userId,
      notes: [{ user_id: staff.userId, note: 'Asked the provider.' }, { note: 'They answer tomorrow.' }],
    })
    const mine: Json[] = await org.exceptions(`&assignee_id=${staff.userId}`)
    expect(mine.map(({ exception_id }) => exception_id)).toEqual([id])
    expect((await assign(id, null)).body.data.assignee_id).toBeNull()
  })

  it('a closed exception still takes notes, and is not assigned', async () => {
    const id = await raised()
    await org.call('POST', `${exceptions}/${id}/close`, { resolution: 'Done' })
    expect((await note(id, 'The provider confirmed it.')).status).toBe(201)
    expect((await assign(id, staff.userId)).status).toBe(409)
  })

  it('one of the installation belongs to the operators', async () => {
    const id = await raised(installationOrgId, 'unknown_reference')
    expect((await get(id)).status).toBe(404)
    expect((await note(id, 'Mine?')).status).toBe(404)
    expect((await get(id, operator())).body.data.org_id).toBeNull()
    expect((await assign(id, t.seed.platformAdmin.user_id, operator())).status).toBe(200)
    const helper = await addPerson(t, t.seed.platformAdmin.org_id, 'viewer')
    for (const stranger of [staff.userId, helper.userId])
      expect((await assign(id, stranger, operator())).status).toBe(400)
    expect((await note(id, 'Ours.', operator())).status).toBe(201)
  })
})

describe('refused', () => {
  it('a viewer reads, and neither assigns nor writes', async () => {
    const id = await raised()
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await get(id, viewer.token)).status).toBe(200)
    expect((await assign(id, viewer.userId, viewer.token)).status).toBe(403)
    expect((await note(id, 'x', viewer.token)).status).toBe(403)
  })

  it('another organisation sees nothing, and its members are not assigned', async () => {
    const id = await raised()
    const other = await openPayments(t)
    const stranger = await addPerson(t, other.orgId, 'staff')
    for (const answer of [
      await get(id, stranger.token),
      await assign(id, stranger.userId, stranger.token),
      await note(id, 'x', stranger.token),
    ])
      expect(answer.status).toBe(404)
    expect((await assign(id, stranger.userId)).status).toBe(400)
  })

  it.each(['', '  ', 'x'.repeat(4001), 5])('a note of %j', async (text) => {
    expect((await note(await raised(), text)).status).toBe(400)
  })

  it('a note cannot be changed or deleted, even by a bug in the code', async () => {
    const id = await raised()
    await note(id, 'As it was.')
    const change = t.deps.db.inOrg(org.orgId, (tx) =>
      tx.db.updateTable('exception_notes').set({ note: 'Otherwise.' }).execute(),
    )
    await expect(change).rejects.toThrow('permission denied')
  })
})

describe('what to do', () => {
  it.each(Object.entries(suggestedActions))('%s names a call that exists', (_kind, action) => {
    const named = [...action.matchAll(/\b(GET|POST|PUT) (\/v1\/[\w/{}-]+)/g)]
    expect(named.length).toBeGreaterThan(0)
    for (const [, method = '', path = ''] of named) {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      expect([url, t.app.hasRoute({ method: method as 'POST', url })]).toEqual([url, true])
    }
  })
})
