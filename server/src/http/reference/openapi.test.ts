import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { collectRoutes, type RouteUnderTest } from '../../../test/contract/every-route.ts'
import { useApp, type Json } from '../../../test/app/test-app.ts'

const t = useApp()
let document: Json
let routes: RouteUnderTest[]
let operations: [name: string, operation: Json][]
beforeAll(async () => {
  routes = await collectRoutes(t)
  document = (await t.call('GET', '/openapi.json')).body
  operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
})

/** The response itself, where the operation refers to a component. */
const resolved = (response: Json): Json =>
  response.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1)]

const operationName = ({ method, path }: RouteUnderTest): string =>
  `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`

function isPublic(name: string): boolean {
  const route = routes.find((candidate) => operationName(candidate) === name)
  if (!route) throw new Error(`no route is registered for ${name}`)
  return route.access.permission === 'public'
}

/** The names of the operations that break a rule; an empty list is expected. */
const without = (isKept: (operation: Json, name: string) => boolean): string[] =>
  operations.filter(([name, operation]) => !isKept(operation, name)).map(([name]) => name)

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator()
    const result = await validator.validate(structuredClone(document))
    expect(result.errors ?? []).toEqual([])
    expect([result.valid, validator.version]).toEqual([true, '3.1'])
    expect(() => validator.resolveRefs()).not.toThrow()
  })

  it('is public, and every reference in it resolves', async () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    const names = references.map(([, kind = '', name = '']) => [kind, name] as const)
    expect(names.filter(([kind, name]) => !Object.hasOwn(document.components[kind] ?? {}, name))).toEqual([])
  })

  it('has every schema once, and each is used', () => {
    const text = JSON.stringify(document)
    const names = Object.keys(document.components.schemas)
    expect(names.length).toBeGreaterThan(40)
    expect(names.filter((name) => name.endsWith('Input'))).toEqual([])
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([])
  })

  it('every number that is not an integer is marked as a decimal', () => {
    const marks = [...JSON.stringify(document).matchAll(/"type":"number"[^{}]*/g)].map(([text]) => text)
    expect(marks.length).toBeGreaterThan(50)
    expect(marks.filter((text) => !text.includes('"format":"decimal"'))).toEqual([])
  })

  it('every response has a text and the headers that the server sends', () => {
    const bad: string[] = []
    for (const [name, operation] of operations)
      for (const [status, one] of Object.entries<Json>(operation.responses)) {
        const { description = '', headers = {} } = resolved(one)
        const isRetried = status === '429' || (status === '503' && name !== 'GET /readyz')
        const isText = /^[A-Z].{5,}\.$/.test(description) && description !== 'Default Response.'
        if (!isText || !headers['X-Request-Id'] || (isRetried && !headers['Retry-After']))
          bad.push(`${name} ${status}: ${description}`)
      }
    expect(bad).toEqual([])
  })

  it('every example of an error fits its schema', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormatsModule.default(ajv)
    ajv.addFormat('decimal', true)
    ajv.addSchema(document, 'openapi')
    const components = Object.entries<Json>(document.components.responses)
    expect(components.length).toBeGreaterThan(15)
    for (const [name, { content }] of components) {
      const { schema, example } = content['application/json']
      const fits = ajv.compile({ $ref: `openapi${schema.$ref}` })
      expect([name, fits(example), fits.errors]).toEqual([name, true, null])
    }
  })

  it('every POST with a credential takes an Idempotency-Key, and its success may be a replay', () => {
    const reference = '#/components/parameters/IdempotencyKey'
    const takesKey = (operation: Json): boolean =>
      operation.parameters?.some(({ $ref }: Json) => $ref === reference) === true
    expect(
      without((operation, name) => takesKey(operation) === (name.startsWith('POST ') && !isPublic(name))),
    ).toEqual([])
    const success = (operation: Json): Json[] =>
      Object.entries<Json>(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([, response]) => response)
    expect(
      without(
        (operation) =>
          !takesKey(operation) ||
          success(operation).every(({ headers }) => headers['Idempotent-Replayed'] !== undefined),
      ),
    ).toEqual([])
  })

  it('every paged list names its cursor, and every list that exports CSV has its columns', () => {
    const query = (operation: Json): string[] => (operation.parameters ?? []).map(({ name }: Json) => name)
    const paged = operations.filter(([, operation]) => query(operation).includes('limit'))
    expect(paged.length).toBeGreaterThan(20)
    for (const [name, operation] of paged) {
      const { parameter, field } = operation['x-switchyard-cursor']
      const { properties } = operation.responses['200'].content['application/json'].schema
      expect([name, query(operation).includes(parameter)]).toEqual([name, true])
      const place = field.startsWith('meta.') ? properties.meta.properties : properties
      expect([name, Object.keys(place)]).toEqual([name, expect.arrayContaining([field.split('.').at(-1)])])
    }
    const exported = operations.filter(([, { responses }]) => responses['200']?.content?.['text/csv'])
    expect(exported.length).toBeGreaterThan(20)
    const { content } = document.paths['/v1/transactions'].get.responses['200']
    expect(content['text/csv'].schema.description).toContain('payment_id')
  })

  it('describes every route of every domain', () => {
    const apiRoutes = routes.filter(({ path }) => path.startsWith('/v1/')).map(operationName)
    expect(apiRoutes.filter((route) => !operations.some(([name]) => name === route))).toEqual([])
    expect(operations.length).toBeGreaterThan(15)
  })

  it('every operation has a summary of its own and one tag, which is a section of the page', () => {
    expect(
      without((operation) => typeof operation.summary === 'string' && operation.summary.length > 5),
    ).toEqual([])
    const sections: unknown[] = document.tags.map(({ name }: Json) => name)
    expect(
      without((operation) => operation.tags?.length === 1 && sections.includes(operation.tags[0])),
    ).toEqual([])
    const summaries = operations.map(([, operation]) => operation.summary)
    expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual([])
  })

  it('every operation has a description of whole sentences that ends with what its caller needs', () => {
    const isProse = (text: string): boolean => /^[A-Z`].{20,}\.$/s.test(text)
    expect(without(({ description = '' }) => isProse(description))).toEqual([])
    expect(without(({ description = '', summary }) => description.replace(/\.?$/, '') !== summary)).toEqual(
      [],
    )
    expect(
      without(
        ({ description = '' }, name) =>
          isPublic(name) !== /\n\n(?:Needs the permission|Any member may).*\.$/.test(description),
      ),
    ).toEqual([])
  })

  it('every operation has an id of its own: the resource, a dot and the verb', () => {
    const pattern = /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/
    expect(without(({ operationId }) => pattern.test(operationId))).toEqual([])
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('every operation describes its success and its errors, each with a schema', () => {
    const hasSchema = (response: Json, status: string): boolean =>
      status === '204' ||
      Object.values<Json>(response.content ?? {}).some(({ schema }) => Object.keys(schema).length > 0)
    expect(
      without((operation) => Object.keys(operation.responses).some((status) => status.startsWith('2'))),
    ).toEqual([])
    expect(
      without((operation) =>
        Object.entries<Json>(operation.responses).every(([status, response]) =>
          hasSchema(resolved(response), status),
        ),
      ),
    ).toEqual([])
    const everywhere = ['400', '401', '403', '413', '415', '429', '500', '503']
    expect(
      without(
        (operation, name) =>
          isPublic(name) || everywhere.every((status) => Object.hasOwn(operation.responses, status)),
      ),
    ).toEqual([])
  })

  it('every POST documents 409 for a conflict of its Idempotency-Key', () => {
    expect(
      without(
        (operation, name) => !name.startsWith('POST /v1/') || Object.hasOwn(operation.responses, '409'),
      ),
    ).toEqual([])
  })

  it('every parameter of a path is declared, with a schema', () => {
    const declared = (operation: Json): string[] =>
      (operation.parameters ?? [])
        .filter((one: Json) => one.in === 'path' && one.required && one.schema)
        .map((one: Json) => one.name)
    const named = (name: string): string[] => [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
    expect(
      without((operation, name) => named(name).every((one) => declared(operation).includes(one))),
    ).toEqual([])
  })

  it('requires a credential everywhere except on public routes', () => {
    expect(document.security.length).toBeGreaterThan(0)
    expect(without((operation, name) => isPublic(name) === (operation.security?.length === 0))).toEqual([])
  })

  it('contains no secret of this installation', () => {
    const text = JSON.stringify(document)
    for (const secret of [
      t.config.DATABASE_APP_URL,
      ...t.config.SECRET_KEY.map(({ bytes }) => bytes.toString('base64')),
      t.seed.platformAdmin.api_key,
    ])
      expect(text).not.toContain(secret)
  })
})

describe('GET /docs', () => {
  const page = async (): Promise<string> => (await t.call('GET', '/docs/')).text

  it('redirects to the reference page', async () => {
    const answer = await t.call('GET', '/docs')
    expect([answer.status, answer.headers['location']]).toEqual([301, '/docs/'])
    expect(await page()).toContain('<html')
  })

  it('loads nothing from another host', async () => {
    const html = await page()
    expect(html.match(/(?:https?:)?\/\/[a-z0-9][^\s"'<>]*/gi) ?? []).toEqual([])
    for (const option of ['cdn', 'proxyUrl']) expect(html).not.toContain(`"${option}"`)
    expect(html).toContain('"withDefaultFonts": false')
    expect(html).toContain('"telemetry": false')
  })

  it('loads only what this server serves', async () => {
    const html = await page()
    const references = [...html.matchAll(/(?:src|href|"url")\s*[=:]\s*"([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    )
    expect(references).toEqual(expect.arrayContaining(['/openapi.json']))
    expect(references.length).toBeGreaterThanOrEqual(2)
    for (const reference of references) {
      const answer = await fetch(new URL(reference, `${t.url}/docs/`))
      expect([reference, answer.status]).toEqual([reference, 200])
      expect((await answer.text()).length).toBeGreaterThan(1000)
    }
  })
})
