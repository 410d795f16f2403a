import { describe, expect, it } from 'vitest'
import { exampleId } from '@switchyard/server/lib/requests/wire.ts'
import { createOpenApiCheck } from '@switchyard/server/test/contract/openapi-check.ts'
import { Ids } from './ids.ts'
import { createJudge, type Reply } from './judge.ts'
import { canaryOf, inWordsOf, type Actor, type Request } from './request.ts'
import { routesOf } from './routes.ts'

const content = { 'application/json': { schema: { type: 'object', required: ['name'] } } }
const document = {
  paths: { '/things/{thing_id}': { get: { responses: { 200: { content }, 502: { content } } } } },
}
const [route] = routesOf(document)
const id = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e10'

const actor = (org: string): Actor => ({
  name: 'staff',
  org,
  orgId: org,
  authorization: 'NONE',
  apiKey: 'NONE',
})
const request: Request = { method: 'GET', path: '/things/1', headers: [], body: undefined }
const reply = (body: object, status = 200): Reply => {
  const text = JSON.stringify(body)
  return { status, text, contentType: 'application/json', body }
}

function problemsOf(...replies: [org: string, reply: Reply][]): string[] {
  const judge = createJudge(createOpenApiCheck(document), { ids: new Ids(new Set()), orgs: ['one', 'two'] })
  return replies.flatMap(([org, one]) => judge({ route: route!, actor: actor(org), request, reply: one }))
}

describe('an answer', () => {
  it('that matches the document is no finding', () => {
    expect(problemsOf(['one', reply({ name: id })], ['one', reply({ name: id })])).toEqual([])
  })

  it.each([
    ['a status of 5xx', reply({ name: '' }, 502), 'answered 502'],
    ['a status that the document does not list', reply({ name: '' }, 201), 'which OpenAPI does not list'],
    ['a body that its schema does not allow', reply({}), 'does not fit OpenAPI'],
    ['a stack', reply({ name: 'TypeError: x' }), 'shows its inside'],
    ['an error of the database', reply({ name: 'invalid input syntax for type uuid' }), 'shows its inside'],
    ["another organisation's text", reply({ name: canaryOf('two') }), 'shows text of two'],
  ])('with %s is one', (_what, given, problem) => {
    expect(problemsOf(['one', given])).toEqual([expect.stringContaining(problem)])
  })

  it("with another organisation's id is a finding", () => {
    expect(problemsOf(['two', reply({ name: id })], ['one', reply({ name: id })])).toEqual([
      expect.stringContaining(id),
    ])
  })

  it('with the id that messages show as an example is no finding', () => {
    const text = { name: `Check the ids, such as ${exampleId}.` }
    expect(problemsOf(['two', reply(text)], ['one', reply(text)])).toEqual([])
  })

  it('of 502 is no finding if the document lists it and every provider failed', () => {
    expect(problemsOf(['one', reply({ name: '', code: 'ALL_PROVIDERS_FAILED' }, 502)])).toEqual([])
  })
})

it('a request with a stranger’s credential carries the stranger’s canary, since they may read it later', () => {
  const text = (org: string): Request => ({
    method: 'POST',
    path: `/v1/things/${canaryOf(org)}`,
    headers: [],
    body: JSON.stringify({ name: `${canaryOf(org)} x` }),
  })
  expect(inWordsOf(actor('two'), actor('one'), text('one'))).toEqual(text('two'))
  expect(inWordsOf(actor('one'), actor('one'), text('one'))).toEqual(text('one'))
})
