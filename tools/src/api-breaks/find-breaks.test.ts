import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBreaks } from './find-breaks.ts'

const root = join(import.meta.dirname, '../../..')

const thing = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    status: { type: 'string', enum: ['open', 'closed'] },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
    owner: { anyOf: [{ type: 'object', properties: { name: { type: 'string' } } }, { type: 'null' }] },
  },
}
const body = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    note: { type: 'string' },
    method: { type: 'string', enum: ['card', 'bank'] },
    payer: { type: 'object', properties: { email: { type: 'string' } } },
  },
  required: ['amount'],
}
const document = {
  paths: {
    '/things/{thing_id}': {
      post: {
        operationId: 'things.update',
        parameters: [{ $ref: '#/components/parameters/Limit' }],
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        },
      },
    },
  },
  webhooks: {
    'thing.closed': {
      post: {
        requestBody: { content: { 'application/json': { schema: { properties: { event_id: {} } } } } },
      },
    },
  },
  components: {
    schemas: { Thing: thing },
    parameters: { Limit: { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } } },
  },
}

const name = 'things.update (POST /things/{thing_id})'

/** The document with one text in it replaced, which must occur. */
function changed(from: string, to: string): unknown {
  const text = JSON.stringify(document)
  expect(text).toContain(from)
  return JSON.parse(text.replace(from, to))
}

describe('an unchanged or extended document', () => {
  it.each([
    ['the same document', document],
    ['a new field of an answer', changed('"parts":', '"added":{"type":"string"},"parts":')],
    ['a new enum value', changed('"open",', '"open","paused",')],
    ['a new optional request field', changed('"note":', '"added":{"type":"string"},"note":')],
    [
      'a field that is required in a new object',
      changed('"note":', '"added":{"properties":{"id":{}},"required":["id"]},"note":'),
    ],
    ['a request field that is no longer required', changed('"required":["amount"]', '"required":[]')],
    [
      'a new operation with required fields',
      changed(
        '"paths":{',
        '"paths":{"/new":{"post":{"operationId":"news.create","requestBody":{"content":{"application/json":{"schema":{"properties":{"a":{}},"required":["a"]}}}}}},',
      ),
    ],
  ])('breaks nothing: %s', (_, after) => {
    expect(findBreaks(document, after)).toEqual([])
  })
})

describe('a broken promise is found:', () => {
  it.each([
    ['an operation that is gone', changed('/things/{thing_id}', '/others/{thing_id}'), `${name} is gone`],
    ['another operation id', changed('things.update', 'things.change'), `${name} is gone`],
    ['a field of an answer', changed('"status":', '"state":'), `${name} 200.status is gone`],
    ['a field of a nested answer', changed('"name":', '"called":'), `${name} 200.owner.name is gone`],
    ['an enum value of an answer', changed('"closed"]', '"done"]'), `${name} 200.status=closed is gone`],
    ['an enum value of a request', changed('"card","bank"', '"card"'), `${name} request.method=bank is gone`],
    ['a request field', changed('"note":', '"notes":'), `${name} request.note is gone`],
    ['a parameter', changed('"limit"', '"page_size"'), `${name} limit is gone`],
    ['the answer itself', changed('"200":', '"201":'), `${name} 200 is gone`],
    [
      'a request field that is required now',
      changed('"required":["amount"]', '"required":["amount","note"]'),
      `${name} request.note is required`,
    ],
    [
      'a nested request field that is required now',
      changed('{"email":{"type":"string"}}', '{"email":{"type":"string"}},"required":["email"]'),
      `${name} request.payer.email is required`,
    ],
    [
      'a parameter that is required now',
      changed('"required":false', '"required":true'),
      `${name} limit is required`,
    ],
    ['an event', changed('thing.closed', 'thing.ended'), 'event thing.closed is gone'],
    ['a field of an event', changed('"event_id"', '"id"'), 'event thing.closed.event_id is gone'],
  ])('%s', (_, after, expected) => {
    expect(findBreaks(document, after)).toContain(expected)
  })
})

describe('docs/openapi.json', () => {
  const committed: unknown = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))

  it('breaks nothing against itself, and loses thousands of promises if it is emptied', () => {
    expect(findBreaks(committed, committed)).toEqual([])
    expect(findBreaks(committed, {}).length).toBeGreaterThan(1000)
  })
})
