import type { Document, NamedOperation, Operation, Response } from './document.ts'
import { isPublic, operationsOf, propertyOf } from './document.ts'
import { optionalBodyMark } from './describe-route.ts'
import { requestExamples } from './examples/all.ts'
import { recordedAnswers } from './generated/answers.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { describeResponses } from './responses.ts'
import { showValues } from './show-values.ts'
import { simplifySchemas } from './simplify-schemas.ts'

const cursorNames = ['last_evaluated_key', 'lastEvaluatedKey']

/** Completes the document that the routes' schemas give: headers, texts, cursors and one schema for each thing. */
export function completeDocument(converted: object): object {
  const document = showValues(mergeSchemas(simplifySchemas(converted as Document))) // made by @fastify/swagger
  for (const named of operationsOf(document)) {
    named.operation.operationId = named.operation.operationId?.replace(/-head$/, '')
    markCursor(named.operation)
    describeCsv(named.operation)
    acceptIdempotencyKey(named)
    showExamples(named.operation)
    showAnswers(named.operation)
    releaseBody(named.operation)
  }
  const { components, ...rest } = describeResponses(document)
  return { ...rest, components: { ...components, parameters, headers } }
}

/** Tells generators which parameter takes the cursor, and where the answer has the next one (null on the last page). */
function markCursor(operation: Operation): void {
  const parameter = operation.parameters?.find(({ name = '' }) => cursorNames.includes(name))?.name
  if (parameter === undefined) return
  const schema = operation.responses?.['200']?.content?.['application/json']?.schema
  const isInMeta = JSON.stringify(propertyOf(schema, 'meta') ?? {}).includes(`"${parameter}"`)
  operation['x-switchyard-cursor'] = { parameter, field: isInMeta ? `meta.${parameter}` : parameter }
}

/** The CSV export marks the lists that it serves with their columns. */
function describeCsv(operation: Operation): void {
  const columns = operation['x-switchyard-csv-columns']
  const ok: Response | undefined = operation.responses?.['200']
  if (!Array.isArray(columns) || !ok) return
  const description = `The whole list, for \`Accept: text/csv\`: a header and one line for each entry. Columns: ${columns.join(', ')}.`
  ok.content = { ...ok.content, 'text/csv': { schema: { type: 'string', description } } }
}

function acceptIdempotencyKey({ method, operation }: NamedOperation): void {
  if (method !== 'post' || isPublic(operation)) return
  operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }]
}

function showExamples(operation: Operation): void {
  const examples = Object.entries(requestExamples[operation.operationId ?? ''] ?? {})
  const body = operation.requestBody?.content?.['application/json']
  if (!body || examples.length === 0) return
  body.examples = Object.fromEntries(
    examples.map(([title, value]) => [nameOf(title), { summary: title, value }]),
  )
}

/** What the API really answered. */
function showAnswers({ operationId = '', responses = {} }: Operation): void {
  for (const [status, answer] of Object.entries(recordedAnswers[operationId] ?? {})) {
    const shown = responses[status]?.content?.['application/json']
    if (shown) shown.example = answer
  }
}

function releaseBody(operation: Operation): void {
  if (operation.requestBody && operation[optionalBodyMark] === true) operation.requestBody.required = false
  delete operation[optionalBodyMark]
}

/** `Payin by card` is payin_by_card. */
const nameOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A text of your own that names this request. The same key with the same body gets the first response again for 24 hours and does nothing a second time; with another body it is refused with 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: 'order-2026-000123',
  },
}

const headers = {
  RequestId: {
    description:
      'The id of this request, which is also in our logs: yours, if the request had an `X-Request-Id` of at most 64 letters, digits, dots, dashes and underscores.',
    schema: { type: 'string', maxLength: 64 },
    example: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
  },
  IdempotentReplayed: {
    description: 'Present when an earlier POST with the same `Idempotency-Key` got this response already.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: 'The number of seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
}
