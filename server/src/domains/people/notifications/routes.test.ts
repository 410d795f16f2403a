import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import {
  addPerson,
  openOrganization,
  type OpenedOrganization,
  type Person,
} from '../../../../test/app/people.ts'
import { useApp, type Json } from '../../../../test/app/test-app.ts'

const inbox = '/v1/users/notifications'
const t = useApp()
let org: OpenedOrganization
let person: Person
beforeAll(async () => {
  org = await openOrganization(t)
  person = await addPerson(t, org.orgId, 'viewer')
})

const notices = async (as: string, query = ''): Promise<Json[]> =>
  (await t.call('GET', `${inbox}${query}`, { as })).body.data

describe('200', () => {
  it('the inbox shows the text of the mail', async () => {
    expect(await notices(person.token)).toEqual([
      {
        notification_id: expect.any(String),
        template: 'member-welcome',
        priority: 'medium',
        title: expect.stringContaining('Welcome to Organisation'),
        body: expect.stringContaining('with the role viewer'),
        link: null,
        mail_status: 'pending',
        read_at: null,
        created_at: expect.any(String),
      },
    ])
  })

  it('a read notice is no longer unread, and keeps the time of the first reading', async () => {
    const other = await addPerson(t, org.orgId, 'viewer')
    const [notice] = await notices(other.token, '?unread=true')
    const path = `${inbox}/${notice.notification_id}/read`
    const first = await t.call('POST', path, { as: other.token })
    expect(first.body.data.read_at).not.toBeNull()
    expect((await t.call('POST', path, { as: other.token })).body.data).toEqual(first.body.data)
    expect(await notices(other.token, '?unread=true')).toEqual([])
    expect(await notices(other.token)).toHaveLength(1)
  })
})

describe('400', () => {
  it.each(['?limit=0', '?unread=perhaps', '?last_evaluated_key=x'])('an inbox with %s', async (query) => {
    expect((await t.call('GET', `${inbox}${query}`, { as: person.token })).status).toBe(400)
  })
})

describe('401', () => {
  it('an inbox without a credential', async () => {
    expect((await t.call('GET', inbox)).status).toBe(401)
  })
})

describe('404', () => {
  it('nobody can mark another member’s notice, not even an administrator', async () => {
    const [notice] = await notices(person.token)
    for (const id of [notice.notification_id, newId()])
      expect((await t.call('POST', `${inbox}/${id}/read`, { as: org.admin.token })).status).toBe(404)
  })
})
