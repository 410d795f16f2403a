import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeForm } from '../kit/form-body.ts'
import type { HttpCall, HttpClient } from '../kit/http-client.ts'
import { checkRequests } from './openapi-requests.ts'

const baseUrl = 'http://127.0.0.1:4010/shop'
const answered: HttpClient = async () => ({ kind: 'answered', status: 200, headers: {}, body: '{}' })
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const spec = `
openapi: 3.0.1
paths:
  /orders:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - $ref: '#/components/parameters/Country'
    post:
      parameters:
        - { name: Idempotency-Key, in: header, required: true, schema: { type: string, format: uuid } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              allOf:
                - $ref: '#/components/schemas/Order'
                - { type: object, properties: { gift: { type: boolean } } }
          application/x-www-form-urlencoded:
            schema: { $ref: '#/components/schemas/Order' }
  /orders/bulk:
    get: {}
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
    get: {}
components:
  parameters:
    Country: { name: country, in: query, required: true, schema: { type: string, enum: [KE, NG] } }
  schemas:
    Order:
      type: object
      required: [amount]
      properties:
        amount: { type: integer }
        note: { type: string, nullable: true }
        lines: { type: array, items: { $ref: '#/components/schemas/Line' } }
        metadata: { type: object }
        target: { anyOf: [{ type: object, properties: { phone: { type: string } } }, { enum: [''], type: string }] }
    Line:
      type: object
      properties: { name: { type: string }, count: { type: integer, nullable: true } }
`

let specsDir: string
beforeAll(() => {
  specsDir = mkdtempSync(join(tmpdir(), 'switchyard-specs-'))
  writeFileSync(join(specsDir, 'shop.yaml'), spec)
})
afterAll(() => rmSync(specsDir, { recursive: true, force: true }))

async function problemsOf(
  call: Omit<HttpCall, 'url'> & { path: string },
  deviations?: Record<string, string>,
): Promise<string[]> {
  const { path, ...rest } = call
  const check = checkRequests(answered, { file: 'shop.yaml', baseUrl, specsDir, deviations })
  await check.http({ ...rest, url: `${baseUrl}${path}` })
  return check.problems()
}

const key = { 'idempotency-key': '6f6d3c0e-7d55-4c3e-9a55-0d1f4d3b8a11' }
const order = (body: object): Omit<HttpCall, 'url'> & { path: string } => ({
  method: 'POST',
  path: '/orders',
  headers: { ...json, ...key },
  body: JSON.stringify(body),
})

describe('valid requests', () => {
  test.each([
    [order({ amount: 5, gift: true, note: null, lines: [{ name: 'a', count: null }] })],
    [order({ amount: 5, metadata: { anything: [1] }, target: { phone: '254' } })],
    [
      {
        method: 'POST' as const,
        path: '/orders',
        headers: { ...form, ...key },
        body: 'amount=5&lines[0][count]=2&target=',
      },
    ],
    [{ method: 'GET' as const, path: '/orders?limit=5&country=KE' }],
    [{ method: 'GET' as const, path: '/orders/bulk' }],
    [{ method: 'GET' as const, path: '/orders/12' }],
  ])('have no problems: %j', async (call) => {
    expect(await problemsOf(call)).toEqual([])
  })
})

describe('invalid requests', () => {
  test.each([
    ['an unknown path', { method: 'GET' as const, path: '/nowhere' }, ['GET /nowhere is not in the file']],
    [
      'an unknown method',
      { method: 'PUT' as const, path: '/orders/1' },
      ['PUT /orders/1 is not in the file'],
    ],
    ['a missing field', order({}), ["POST /orders body: must have required property 'amount'"]],
    ['a wrong type', order({ amount: '5' }), ['POST /orders body/amount: must be integer']],
    [
      'an unknown field',
      order({ amount: 5, gfit: true }),
      ['POST /orders body: must NOT have unevaluated properties "gfit"'],
    ],
    [
      'an unknown field inside a list',
      order({ amount: 5, lines: [{ nmae: 'a' }] }),
      ['POST /orders body/lines/0: must NOT have unevaluated properties "nmae"'],
    ],
    [
      'a form with a wrong type',
      { method: 'POST' as const, path: '/orders', headers: { ...form, ...key }, body: 'amount=x' },
      ['POST /orders body/amount: must be integer'],
    ],
    [
      'no body',
      { method: 'POST' as const, path: '/orders', headers: key },
      ['POST /orders body: is missing'],
    ],
    [
      'a body that is no JSON',
      { method: 'POST' as const, path: '/orders', headers: { ...json, ...key }, body: '{' },
      ['POST /orders body: cannot be read as application/json'],
    ],
    [
      'another content type',
      {
        method: 'POST' as const,
        path: '/orders',
        headers: { 'content-type': 'text/xml', ...key },
        body: '<a/>',
      },
      ['POST /orders body: is text/xml, the file has application/json, application/x-www-form-urlencoded'],
    ],
    [
      'a body where there is none',
      { method: 'GET' as const, path: '/orders/1', body: '{}' },
      ['GET /orders/{id} body: the file has none'],
    ],
    [
      'a missing header',
      { ...order({ amount: 5 }), headers: json },
      ['POST /orders header/Idempotency-Key: is missing'],
    ],
    [
      'a wrong path value',
      { method: 'GET' as const, path: '/orders/x' },
      ['GET /orders/{id} path/id: must be integer'],
    ],
    [
      'a wrong query',
      { method: 'GET' as const, path: '/orders?limit=x&country=UG&page=2' },
      [
        'GET /orders query/limit: must be integer',
        'GET /orders query/country: must be equal to one of the allowed values ["KE","NG"]',
        'GET /orders query/page: is not in the file',
      ],
    ],
  ])('are reported: %s', async (_what, call, problems) => {
    expect(await problemsOf(call)).toEqual(problems)
  })
})

describe('the check as a whole', () => {
  test('a documented deviation is allowed, and reported when it is no longer needed', async () => {
    const deviations = { 'POST /orders body/amount: must be integer': 'the provider takes text, [D]' }
    expect(await problemsOf(order({ amount: '5' }), deviations)).toEqual([])
    expect(await problemsOf(order({ amount: 5 }), deviations)).toEqual([
      'the deviation "POST /orders body/amount: must be integer" is not needed',
    ])
  })

  test('a check without any request reports that', () => {
    const check = checkRequests(answered, { file: 'shop.yaml', baseUrl, specsDir })
    expect(check.problems()).toEqual([`no request went to ${baseUrl}: nothing was checked`])
  })

  test('without the specs it reports in one line that it checks nothing', () => {
    const check = checkRequests(answered, { file: 'shop.yaml', baseUrl, specsDir: '/nowhere' })
    expect(check.skipped).toBe('/nowhere does not exist: requests are not validated against shop.yaml')
    expect(check.http).toBe(answered)
  })
})

describe('forms', () => {
  test('brackets become objects and lists', () => {
    expect(decodeForm('a=1&b[c]=2&b[d][e]=3&f[0]=4&f[1]=5&g[]=6&g[]=7&h[0][i]=8')).toEqual({
      a: '1',
      b: { c: '2', d: { e: '3' } },
      f: ['4', '5'],
      g: ['6', '7'],
      h: [{ i: '8' }],
    })
  })

  test.each(['a[b=1', 'a=1&a=2', 'a=1&a[b]=2', '[a]=1', 'a[__proto__][b]=1', 'a[b][c][d][e][f][g][h][i]=1'])(
    'a form that no encoder produces is refused: %s',
    (text) => {
      expect(decodeForm(text)).toBeUndefined()
    },
  )
})
