import { Writable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError, validationError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { createDeps } from '../../main/deps.ts'
import { apiRoutes } from '../../main/routes.ts'
import { sendRaw } from '../../../test/app/raw-request.ts'
import { credentialHeaders, memberOf, useApp } from '../../../test/app/test-app.ts'
import { errorBody } from './error-handler.ts'
import { buildServer } from '../server.ts'

let admin: string
const logged: string[] = []
const logTo = new Writable({
  write(chunk, _encoding, done) {
    logged.push(String(chunk))
    done()
  },
})
const t = useApp({ logTo, env: { LOG_LEVEL: 'info' } })
beforeAll(() => {
  admin = memberOf(t.seed.orgs[0], 'org-admin').api_key
})
afterEach(() => {
  vi.restoreAllMocks()
})

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('an error body', () => {
  const at = (url: string | undefined, path = '/somewhere') =>
    ({ id: 'r-1', url: path, routeOptions: { url } }) as unknown as FastifyRequest

  it('is the standard one, everywhere except under /v1/payments-init/', () => {
    const error = new AppError('CONFLICT', 409, 'It is taken.')
    const standard = { status: 'error', message: 'It is taken.', code: 'CONFLICT', request_id: 'r-1' }
    for (const url of ['/v1/payments/:payment_id', '/v1/payments-initial', '/v1/payments-init', '/healthz'])
      expect(errorBody(error, at(url))).toEqual(standard)
  })

  it.each([
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [409, 'Conflict'],
    [413, 'Payload Too Large'],
    [415, 'Unsupported Media Type'],
    [422, 'Unprocessable Entity'],
    [429, 'Too Many Requests'],
    [500, 'Internal Server Error'],
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
  ])('under /v1/payments-init/ has error, message and code: %i %s', (status, title) => {
    const error = Object.assign(new AppError('RATE_MISMATCH', 400, 'Fetch a new rate.'), { status })
    expect(errorBody(error, at('/v1/payments-init/initiate'))).toEqual({
      error: title,
      code: 'RATE_MISMATCH',
      message: 'Fetch a new rate.',
      request_id: 'r-1',
    })
  })

  it('under /v1/payments-init/ has the initiation shape even on a path that does not exist', () => {
    const body = errorBody(validationError('x'), at(undefined, '/v1/payments-init/nothing?x=1'))
    expect(body).toMatchObject({ error: 'Bad Request', code: 'VALIDATION_ERROR' })
  })

  it('has the details but never the cause', () => {
    const details = [{ path: 'amount', message: 'is missing' }]
    const error = new AppError('VALIDATION_ERROR', 400, 'm', { details, cause: new Error('secret') })
    for (const url of ['/v1/users/me', '/v1/payments-init/ramp']) {
      const body = errorBody(error, at(url))
      expect(body['details']).toEqual(details)
      expect(JSON.stringify(body)).not.toContain('secret')
    }
  })
})

describe('404', () => {
  it.each(['/v1', '/v1/nothing', '/v2/users/me', '/v1/users/me/more', '/metrics'])('%s', async (path) => {
    const answer = await t.call('GET', path)
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({
      status: 'error',
      message: expect.stringMatching(/^This path does not exist\. /),
      code: 'NOT_FOUND',
      request_id: expect.any(String),
    })
  })

  it('under /v1/payments-init/ it has the initiation shape', async () => {
    const answer = await t.call('POST', '/v1/payments-init/nothing', { body: {} })
    expect(answer.body).toEqual({
      error: 'Not Found',
      code: 'NOT_FOUND',
      message: expect.any(String),
      request_id: answer.headers['x-request-id'],
    })
  })
})

describe('400', () => {
  it('a NUL in the URL, on public pages too', async () => {
    for (const path of ['/healthz', '/readyz', '/v1/users/me'])
      expect((await t.call('GET', `${path}?x=%00`, { as: admin })).status).toBe(400)
  })

  it.each([
    '/v1/organizations/%zz',
    '/v1/users/%',
    '/v1/organizations/%ff%fe',
    `/v1/organizations/${'x'.repeat(600)}`,
  ])('an address that cannot be read has the standard body and a request id: %s', async (path) => {
    const answer = await sendRaw(t.url, { path, headers: Object.entries(credentialHeaders(admin)) })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      status: 'error',
      message: expect.not.stringContaining('FST_'),
      code: 'VALIDATION_ERROR',
      request_id: answer.headers['x-request-id'],
    })
    expect(answer.headers['x-request-id']).toMatch(uuidV7)
    expect(answer.text).not.toContain(path.slice(-3))
  })
})

describe('500', () => {
  const generic = {
    status: 'error',
    message: 'Something went wrong on our side. Quote the request id to support.',
    code: 'INTERNAL_ERROR',
    request_id: expect.stringMatching(uuidV7),
  }

  it('reveals only the request id when a database statement fails', async () => {
    await t.owner.query('alter table audit_log rename to audit_log_gone')
    const answer = await t.call('GET', `/v1/organizations/${t.seed.orgs[0]?.org_id}/audit-log`, { as: admin })
    await t.owner.query('alter table audit_log_gone rename to audit_log')
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual(generic)
    expect(answer.body.request_id).toBe(answer.headers['x-request-id'])
    const line = logged.find((one) => one.includes(answer.body.request_id) && one.includes('request failed'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 'error',
      code: 'INTERNAL_ERROR',
      err: { code: '42P01' },
    })
  })

  it.each<[string, unknown]>([
    ['an error', new Error('secret')],
    [
      'an error with a status, such as an HTTP client throws',
      Object.assign(new Error('secret'), { statusCode: 404 }),
    ],
    [
      'an error with a status and a code',
      Object.assign(new Error('secret'), { statusCode: 413, code: 'E_TOO_LARGE' }),
    ],
    ['a text', 'secret'],
    ['an object', { message: 'secret', statusCode: 400 }],
    ['null', null],
    ['nothing', undefined],
  ])('says no more when a dependency throws %s', async (_what, thrown) => {
    vi.spyOn(t.deps.db, 'inOrg').mockRejectedValue(thrown)
    const answer = await t.call('GET', '/v1/users/list', { as: admin })
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual(generic)
    expect(answer.text).not.toContain('secret')
    expect(logged.join('')).not.toContain('secret')
  })
})

describe('503', () => {
  it('an unreachable database returns 503 with Retry-After', async () => {
    const away = 'postgres://switchyard_app:x@127.0.0.1:1/nowhere'
    const deps = await createDeps(
      { ...t.config, DATABASE_APP_URL: away, DATABASE_SYSTEM_URL: away },
      { log: t.deps.log },
    )
    const app = await buildServer(
      deps,
      {
        publicUrl: t.config.PUBLIC_URL,
        bodyLimitBytes: 1000,
        trustProxy: [],
        rateLimit: { perSecond: 10, burst: 10 },
      },
      apiRoutes(deps),
    )
    const answer = await app.inject({ url: '/v1/users/me', headers: credentialHeaders(admin) })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(answer.body).not.toContain('127.0.0.1')
    await app.close()
    await deps.close()
  })
})

describe('X-Request-Id', () => {
  const requestId = async (headers: [string, string][]): Promise<string> => {
    const answer = await sendRaw(t.url, { path: '/v1/users/me', headers })
    expect(answer.body.request_id).toBe(answer.headers['x-request-id'])
    return answer.headers['x-request-id'] ?? ''
  }

  it.each(['abc', 'A-b_c.9', 'x'.repeat(64)])('is returned as it was sent: %s', async (given) => {
    expect(await requestId([['X-Request-Id', given]])).toBe(given)
  })

  it.each([
    ['blank', [['X-Request-Id', '']]],
    ['too long', [['X-Request-Id', 'x'.repeat(65)]]],
    ['with blanks', [['X-Request-Id', 'a b']]],
    ['with markup', [['X-Request-Id', '<script>']]],
    ['that would break a log line', [['X-Request-Id', '","level":"error']]],
    [
      'twice',
      [
        ['X-Request-Id', 'a'],
        ['X-Request-Id', 'b'],
      ],
    ],
    ['missing', []],
  ] as [string, [string, string][]][])('is made anew when it is %s', async (_what, headers) => {
    expect(await requestId(headers)).toMatch(uuidV7)
  })

  it('is different for every request', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => requestId([])))
    expect(new Set(ids).size).toBe(20)
  })

  it('is on every response and in its log line, including public pages and errors', async () => {
    for (const path of ['/healthz', '/openapi.json', '/docs/', '/v1/nothing', '/v1/users/me']) {
      const id = newId()
      const answer = await t.call('GET', path, { headers: { 'x-request-id': id } })
      expect(answer.headers['x-request-id']).toBe(id)
      expect(
        logged.some((line) => line.includes(`"requestId":"${id}"`) && line.includes('"msg":"request"')),
      ).toBe(true)
    }
  })

  it('a log line has the route, the status and the caller, but no URL and no headers', async () => {
    const id = newId()
    await t.call('GET', '/v1/users/list?limit=7', { as: admin, headers: { 'x-request-id': id } })
    const line = logged.find((one) => one.includes(id)) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({
      method: 'GET',
      route: '/v1/users/list',
      status: 200,
      orgId: t.seed.orgs[0]?.org_id,
    })
    expect(logged.join('')).not.toContain(admin)
    expect(line).not.toContain('limit=7')
  })
})
