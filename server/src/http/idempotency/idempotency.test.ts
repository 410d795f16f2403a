import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../test/app/people.ts'
import { useApp, type CallAnswer } from '../../../test/app/test-app.ts'

const keys = '/v1/public/api-keys'
const hourMs = 60 * 60 * 1000
let offsetMs = 0
const clock = { now: () => new Date(Date.now() + offsetMs) }

const t = useApp({ clock })
let org: OpenedOrganization
beforeAll(async () => {
  org = await openOrganization(t)
})

const post = (
  key: string,
  name: string,
  more: { as?: string; path?: string; body?: object } = {},
): Promise<CallAnswer> =>
  t.call('POST', more.path ?? keys, {
    as: more.as ?? org.admin.token,
    headers: { 'idempotency-key': key },
    body: more.body ?? { name },
  })

async function made(name: string): Promise<number> {
  return (await t.owner.query('select from api_keys where name = $1', [name])).rowCount ?? 0
}
const isReplay = (answer: CallAnswer): boolean => answer.headers['idempotent-replayed'] === 'true'

describe('201', () => {
  it('the same key and body replay the first response byte for byte and change nothing', async () => {
    const first = await post('same', 'replayed')
    const second = await post('same', 'replayed')
    expect([first.status, isReplay(first)]).toEqual([201, false])
    expect([second.status, isReplay(second)]).toEqual([201, true])
    expect(second.text).toBe(first.text)
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await made('replayed')).toBe(1)
  })

  it('without a key the same body is a separate request', async () => {
    for (let times = 0; times < 2; times++)
      await t.call('POST', keys, { as: org.admin.token, body: { name: 'without' } })
    expect(await made('without')).toBe(2)
  })

  it('another organisation may use the same key', async () => {
    const other = await openOrganization(t)
    await post('shared', 'in one')
    const elsewhere = await post('shared', 'in the other', { as: other.admin.token })
    expect([elsewhere.status, isReplay(elsewhere)]).toEqual([201, false])
    expect(elsewhere.body.data.org_id).toBe(other.orgId)
  })

  it('another member may use the same key, and does not see the secret of the first', async () => {
    const other = await addPerson(t, org.orgId, 'org-admin')
    const first = await post('personal', 'personal')
    const second = await post('personal', 'personal', { as: other.token })
    expect([second.status, isReplay(second)]).toEqual([201, false])
    expect(second.text).not.toContain(first.body.data.api_key)
    expect(await made('personal')).toBe(2)
    expect((await post('personal', 'personal')).text).toBe(first.text)
  })

  it('the same member may repeat the request with another credential that has the same permissions', async () => {
    const key = (await t.call('POST', keys, { as: org.admin.token, body: { name: 'second way' } })).body.data
      .api_key
    const first = await post('two ways'.replace(' ', '-'), 'twice')
    const second = await post('two-ways', 'twice', { as: key })
    expect([isReplay(second), second.text === first.text]).toEqual([true, true])
  })

  it('an invalid request does not claim its key', async () => {
    expect((await post('corrected', '')).status).toBe(400)
    expect((await post('corrected', 'corrected')).status).toBe(201)
  })

  it('after 24 hours the key is free again', async () => {
    const first = await post('day', 'daily')
    offsetMs += 24 * hourMs - 1000
    expect(isReplay(await post('day', 'daily'))).toBe(true)
    offsetMs += 2000
    const next = await post('day', 'daily')
    expect([next.status, isReplay(next)]).toEqual([201, false])
    expect(next.body.data.api_key_id).not.toBe(first.body.data.api_key_id)
    expect(isReplay(await post('day', 'daily'))).toBe(true)
    expect(await made('daily')).toBe(2)
  })

  it('of many concurrent requests exactly one is executed; the others replay it or get 409', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('at-once', 'at once')))
    expect(await made('at once')).toBe(1)
    const executed = answers.filter((answer) => answer.status === 201 && !isReplay(answer))
    expect(executed).toHaveLength(1)
    const [created, refused] = [201, 409].map((status) =>
      answers.filter((answer) => answer.status === status),
    )
    expect(created!.length + refused!.length).toBe(answers.length)
    expect(new Set(created!.map(({ text }) => text))).toEqual(new Set([executed[0]!.text]))
  })

  it('every visible character may be in a key, and case matters', async () => {
    const key = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('')
    expect((await post(key, 'visible')).status).toBe(201)
    expect(isReplay(await post(key, 'visible'))).toBe(true)
    await post('Case', 'upper case')
    expect(isReplay(await post('case', 'lower case'))).toBe(false)
  })
})

describe('the stored response', () => {
  it('is encrypted, so a secret in it is not in the table in any form', async () => {
    const { body } = await post('sealed', 'sealed')
    const secret: string = body.data.api_key
    const { rows } = await t.owner.query<{ text: string; response_sealed: Buffer }>(
      `select idempotent_calls::text as text, response_sealed from idempotent_calls where idempotency_key = 'sealed'`,
    )
    expect(rows).toHaveLength(1)
    const dump = rows[0]!.text + rows[0]!.response_sealed.toString('latin1')
    const part = secret.slice(12)
    for (const form of [
      part,
      Buffer.from(part).toString('hex'),
      Buffer.from(part).toString('base64').slice(4, -4),
    ])
      expect(dump).not.toContain(form)
    expect(rows[0]!.response_sealed.length).toBeGreaterThan(100)
  })

  it('cannot be moved to another key or organisation', async () => {
    await post('from', 'moved')
    await post('to', 'moved')
    await t.owner.query(`update idempotent_calls k set response_sealed = f.response_sealed
      from idempotent_calls f where f.idempotency_key = 'from' and k.idempotency_key = 'to'`)
    expect((await post('to', 'moved')).status).toBe(409)
  })
})

describe('503', () => {
  it('is not replayed and frees its key, because nothing was done', async () => {
    const client = await t.owner.connect()
    await client.query('begin; lock table api_keys in exclusive mode')
    const first = await post('busy', 'busy')
    await client.query('rollback')
    client.release()
    const second = await post('busy', 'busy')
    expect([first.status, second.status, isReplay(second)]).toEqual([503, 201, false])
    expect(await made('busy')).toBe(1)
    expect(isReplay(await post('busy', 'busy'))).toBe(true)
  })
})

describe('409', () => {
  it('the same key with another body, which is not executed', async () => {
    await post('body', 'first body')
    const second = await post('body', 'second body')
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      message: expect.stringContaining('another request'),
    })
    expect(second.headers['retry-after']).toBeUndefined()
    expect(await made('second body')).toBe(0)
  })

  it('the same key and body on another path', async () => {
    const one = (await post('one', 'rotatable')).body.data
    const two = (await post('two', 'rotatable')).body.data
    const rotation = (id: string): Promise<CallAnswer> =>
      post('rotation', '', { path: `${keys}/${id}/rotate`, body: {} })
    expect((await rotation(one.api_key_id)).status).toBe(201)
    expect((await rotation(two.api_key_id)).status).toBe(409)
    expect((await t.call('GET', '/v1/users/me', { as: two.api_key })).status).toBe(200)
  })

  it('a narrower API key of the same member, which must not see the response', async () => {
    const body = { name: 'narrow', scopes: ['api-keys:write'] }
    const narrow = (await t.call('POST', keys, { as: org.admin.token, body })).body.data.api_key
    await post('escalate', 'wide')
    expect((await post('escalate', 'wide', { as: narrow })).status).toBe(409)
  })

  it('a first call that never finished', async () => {
    await post('unfinished', 'unfinished')
    await t.owner.query(`update idempotent_calls set response_status = null, response_sealed = null
      where idempotency_key = 'unfinished'`)
    const again = await post('unfinished', 'unfinished')
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      message: expect.stringContaining('not finished'),
    })
    expect(again.headers['retry-after']).toBe('2')
    expect(await made('unfinished')).toBe(1)
  })

  it('an error is replayed like any response', async () => {
    const body = { name: 'beyond', scopes: ['platform:write'] }
    const first = await post('refused', '', { body })
    const second = await post('refused', '', { body })
    expect([first.status, second.status, isReplay(second)]).toEqual([403, 403, true])
  })
})

describe('400', () => {
  it.each(['', ' ', 'a b', 'x'.repeat(256), 'umlaut-ü'])('the key %.20j', async (key) => {
    expect((await post(key, 'bad key')).status).toBe(400)
    expect(await made('bad key')).toBe(0)
  })
})

describe('other methods', () => {
  it('a key on a GET or DELETE request is not stored', async () => {
    const headers = { 'idempotency-key': 'not-for-this' }
    const { api_key_id: id } = (await post('to-delete', 'deleted')).body.data
    await t.call('GET', keys, { as: org.admin.token, headers })
    await t.call('DELETE', `${keys}/${id}`, { as: org.admin.token, headers })
    const { rowCount } = await t.owner.query(
      `select from idempotent_calls where idempotency_key = 'not-for-this'`,
    )
    expect(rowCount).toBe(0)
  })
})
