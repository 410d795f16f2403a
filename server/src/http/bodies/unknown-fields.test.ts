import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { branchesOf, shapeOf, type Shape } from '../../lib/requests/request-shape.ts'
import { collectRoutes, requestTo, type RouteUnderTest } from '../../../test/contract/every-route.ts'
import { collectSchemas, type RequestSchema } from '../../../test/contract/every-schema.ts'
import { memberOf, useApp } from '../../../test/app/test-app.ts'
import { unknownIn } from './unknown-fields.ts'

const t = useApp()
let schemas: RequestSchema[]
let routes: RouteUnderTest[]
let admin: string
beforeAll(async () => {
  schemas = (await collectSchemas(t)).filter(({ isPublic, part }) => !isPublic && part !== 'params')
  routes = (await collectRoutes(t)).filter(({ access }) => access.permission !== 'public')
  admin = memberOf(t.seed.orgs[0], 'org-admin').api_key
})

/** Objects with one unknown field each, at every depth at which the shape lists its fields. */
function* strayFields(shape: Shape, root: Shape, depth = 0): Generator<{ value: unknown; path: string }> {
  if (depth > 4) return
  for (const branch of branchesOf(shape, root)) {
    const isClosed = branch.additionalProperties === undefined || branch.additionalProperties === false
    if (branch.type === 'object' && branch.properties && isClosed) yield { value: { zzz: 1 }, path: 'zzz' }
    for (const [name, field] of Object.entries(branch.properties ?? {}))
      for (const { value, path } of strayFields(field, root, depth + 1))
        yield { value: { [name]: value }, path: `${name}.${path}` }
    if (branch.type === 'array' && typeof branch.items === 'object')
      for (const { value, path } of strayFields(branch.items, root, depth + 1))
        yield { value: [value], path: `0.${path}` }
  }
}

describe('400', () => {
  it('is found in every schema of every route, at every depth', () => {
    const missed: string[] = []
    let tried = 0
    for (const { name, schema } of schemas) {
      const shape = shapeOf(schema)
      for (const { value, path } of strayFields(shape, shape)) {
        tried += 1
        if (!unknownIn(schema, value, 'field').some((detail) => detail.path === path))
          missed.push(`${name} ${path}`)
      }
    }
    expect(missed).toEqual([])
    expect(tried).toBeGreaterThan(120)
  })

  it('is answered by every route for a query parameter that it does not have', async () => {
    const accepted: string[] = []
    for (const route of routes.filter(({ access }) =>
      (access.credentials ?? ['api_key']).includes('api_key'),
    )) {
      const { path, options } = requestTo(t, route, { valueFor: () => undefined })
      const as = route.access.permission.toString().startsWith('platform:')
        ? t.seed.platformAdmin.api_key
        : admin
      const answer = await t.call(route.method, `${path}${path.includes('?') ? '&' : '?'}zzz=1`, {
        as,
        ...options,
      })
      if (answer.status !== 400 || !answer.text.includes('zzz is not a parameter of this request'))
        accepted.push(`${route.name} ${answer.status}`)
    }
    expect(accepted).toEqual([])
  })

  it.each([
    [
      'POST',
      '/v1/payments-init/initiate',
      { amonut: 5 },
      'amonut',
      'amonut is not a field of this request; did you mean amount?',
    ],
    [
      'POST',
      '/v1/payments-init/initiate',
      { payer_details: { nmae: 'Ada' } },
      'payer_details.nmae',
      'payer_details.nmae is not a field of payer_details; did you mean name?',
    ],
    [
      'GET',
      '/v1/transactions?staus=failed',
      undefined,
      'staus',
      'staus is not a parameter of this request; did you mean status?',
    ],
    [
      'GET',
      '/v1/users/me?colour=red',
      undefined,
      'colour',
      'colour is not a parameter of this request, which has none.',
    ],
    [
      'POST',
      '/v1/public/api-keys',
      { name: 'x', lifetime_of_the_key: 5 },
      'lifetime_of_the_key',
      'lifetime_of_the_key is not a field of this request. It has name, scopes, allowed_ips and expires_at.',
    ],
  ])('%s %s with %j names the nearest known one', async (...[method, path, body, field, message]) => {
    const answer = await t.call(method, path, { as: admin, body })
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.details).toEqual([{ path: field, message }])
  })
})

describe('free-form objects', () => {
  it('metadata takes any field at any depth', () => {
    const schema = z.object({ metadata: z.record(z.string(), z.unknown()).nullish() })
    expect(unknownIn(schema, { metadata: { anything: { below: [{ it: 1 }] } } }, 'field')).toEqual([])
    const initiate = schemas.find(({ name }) => name === 'POST /v1/payments-init/initiate body')
    expect(unknownIn(initiate!.schema, { metadata: { amonut: { x: 1 } } }, 'field')).toEqual([])
  })

  it('of a union the branch that fits best is compared', () => {
    const schema = z.union([
      z.object({ parties: z.array(z.object({ a: z.int() })) }),
      z.array(z.object({ a: z.int() })),
    ])
    expect(unknownIn(schema, [{ a: 1, b: 2 }], 'field')).toMatchObject([{ path: '0.b' }])
    expect(unknownIn(schema, { parties: [{ a: 1 }] }, 'field')).toEqual([])
  })

  it('public pages ignore parameters that they do not know', async () => {
    expect((await t.call('GET', '/healthz?probe=7')).status).toBe(200)
  })
})
