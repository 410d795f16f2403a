import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { credentialHeaders, memberOf, useApp, type CallAnswer } from '../../../test/app/test-app.ts'

const keys = '/v1/public/api-keys'
const limitBytes = 4096
const t = useApp({ env: { BODY_LIMIT_BYTES: String(limitBytes) } })
let admin: string
beforeAll(() => {
  admin = memberOf(t.seed.orgs[0], 'org-admin').api_key
})

const post = (rawBody: string, headers: Record<string, string> = {}): Promise<CallAnswer> =>
  t.call('POST', keys, { as: admin, rawBody, headers })

const standard = {
  status: 'error',
  message: expect.any(String),
  code: expect.any(String),
  request_id: expect.any(String),
}
/** A body of exactly this many bytes; only its size can make it invalid. */
const bodyOf = (bytes: number): string => `${JSON.stringify({ name: 'x' })}${' '.repeat(bytes - 12)}`
const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

describe('201', () => {
  it('a body of exactly the maximum size is accepted', async () => {
    expect(Buffer.byteLength(bodyOf(limitBytes))).toBe(limitBytes)
    expect((await post(bodyOf(limitBytes))).status).toBe(201)
  })

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('a body of type %s is read', async (type) => {
    expect((await post('{"name": "typed"}', { 'content-type': type })).status).toBe(201)
  })

  it('an optional body may be missing, empty or present', async () => {
    const bodies: { headers?: Record<string, string>; rawBody?: string }[] = [
      {},
      { headers: { 'content-type': 'application/json' } },
      { rawBody: '' },
      { rawBody: '{}' },
      { rawBody: '{"overlap_seconds": 60.0}' },
    ]
    for (const body of bodies) {
      const { api_key_id: id } = (await post('{"name": "to rotate"}')).body.data
      expect((await t.call('POST', `${keys}/${id}/rotate`, { as: admin, ...body })).status).toBe(201)
    }
  })
})

describe('400', () => {
  it('a field that names another owner, or any other that is not known', async () => {
    for (const field of ['user_id', 'org_id', 'api_key']) {
      const answer = await post(JSON.stringify({ name: 'strict', [field]: 'someone' }))
      expect([answer.status, answer.body.details[0].path]).toEqual([400, field])
    }
  })

  it.each([
    '{',
    '{"name": "x"',
    '{name: "x"}',
    "{'name': 'x'}",
    '{"name": "x",}',
    '{"name": NaN}',
    '{"name": undefined}',
    'name=x',
    '\ufeff{"name": "x"}',
    '{"name": "x"} {"name": "y"}',
    '{"name": "x\n"}',
    ' ',
  ])('what is not JSON: %j', async (text) => {
    const answer = await post(text)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ ...standard, message: expect.stringContaining('not valid JSON') })
  })

  it.each(['null', '[]', '"x"', '7', 'true'])('JSON that is not an object: %s', async (text) => {
    expect((await post(text)).status).toBe(400)
  })

  it('a missing body where one is required, with or without a content type', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }] as Record<string, string>[]) {
      const answer = await t.call('POST', keys, { as: admin, headers })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({
        ...standard,
        details: [{ path: expect.any(String), message: expect.any(String) }],
      })
    }
  })

  it('objects nested deeper than 20 levels, and not fewer', async () => {
    const deepest = await t.call('POST', keys, { as: admin, rawBody: nested(20) })
    expect(deepest.body.message).not.toContain('nested')
    for (const bomb of [nested(21), '['.repeat(2000), `{"name": ${'['.repeat(20)}`]) {
      const answer = await post(bomb)
      expect(answer.status).toBe(400)
      expect(answer.body.message).toContain('nested deeper than 20')
    }
  })

  it('a key that names the prototype', async () => {
    expect((await post('{"name": "x", "__proto__": {"scopes": []}}')).status).toBe(400)
  })

  it('text that Postgres cannot store', async () => {
    for (const text of ['"a\\u0000"', '"\\ud83d"']) expect((await post(`{"name": ${text}}`)).status).toBe(400)
  })

  it.each(['1e400', '-1', '1.5', '604801', '60.00000000000000001', '12345678901234567890', '"60"', '1e-400'])(
    'a number that is invalid for the field: %s',
    async (number) => {
      const { api_key_id: id } = (await post('{"name": "numbers"}')).body.data
      const answer = await t.call('POST', `${keys}/${id}/rotate`, {
        as: admin,
        rawBody: `{"overlap_seconds": ${number}}`,
      })
      expect(answer.status).toBe(400)
      expect(answer.body.details).toEqual([{ path: 'overlap_seconds', message: expect.any(String) }])
    },
  )

  it('a compressed body, which is not supported', async () => {
    const answer = await request(`${t.url}${keys}`, {
      method: 'POST',
      headers: {
        ...credentialHeaders(admin),
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: gzipSync('{"name": "x"}'),
    })
    expect(answer.statusCode).toBe(400)
    await answer.body.dump()
  })
})

describe('413', () => {
  it('a body whose Content-Length is too large', async () => {
    const answer = await post(bodyOf(limitBytes + 1))
    expect(answer.status).toBe(413)
    expect(answer.body).toEqual(standard)
  })

  it('a streamed body that exceeds the limit', async () => {
    async function* endless(): AsyncGenerator<string> {
      for (let part = 0; part < 100; part++) yield await Promise.resolve('x'.repeat(1000))
    }
    const answer = await request(`${t.url}${keys}`, {
      method: 'POST',
      headers: { ...credentialHeaders(admin), 'content-type': 'application/json' },
      body: Readable.from(endless()),
    })
    expect(answer.statusCode).toBe(413)
    await answer.body.dump()
  })

  it('without a credential the response is 401 before the body is read', async () => {
    const answer = await t.call('POST', keys, { rawBody: bodyOf(limitBytes + 1) })
    expect(answer.status).toBe(401)
  })
})

describe('415', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'text/json',
    '*/*',
    'x',
  ])('a body of type %s', async (type) => {
    const answer = await post('{"name": "x"}', { 'content-type': type })
    expect(answer.status).toBe(415)
    expect(answer.body).toEqual(standard)
  })

  it('a body without a content type', async () => {
    const answer = await request(`${t.url}${keys}`, {
      method: 'POST',
      headers: credentialHeaders(admin),
      body: Buffer.from('{"name": "x"}'),
    })
    expect(answer.statusCode).toBe(415)
    await answer.body.dump()
  })
})

describe('200', () => {
  it('the body of a GET request is ignored', async () => {
    const answer = await t.call('GET', '/v1/users/me', { as: admin, rawBody: '{ not json' })
    expect(answer.status).toBe(200)
  })
})
