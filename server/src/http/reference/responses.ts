import type { Document, JsonSchema, NamedOperation, Response } from './document.ts'
import { isPublic, operationsOf } from './document.ts'
import { errorExample } from './error-examples.ts'
import { ownText } from './own-text.ts'

interface ErrorText {
  /** The name of the component. */
  name: string
  description: string
}

const errorTexts: Readonly<Record<string, ErrorText>> = {
  400: {
    name: 'BadRequest',
    description:
      'The request is not valid. `details` names each field with what is wrong with it; the same request fails again.',
  },
  401: {
    name: 'Unauthorized',
    description:
      'The credential is missing, wrong, expired or revoked, or `Authorization` and `X-Api-Key` were not both sent.',
  },
  403: {
    name: 'Forbidden',
    description:
      'The credential is valid, but it lacks the permission or the feature that the operation needs, or it names another organisation.',
  },
  404: {
    name: 'NotFound',
    description: 'There is no such resource, or it belongs to another organisation.',
  },
  409: {
    name: 'Conflict',
    description:
      'The state of the resource does not allow the operation, or the `Idempotency-Key` belongs to another request or to one that has not finished.',
  },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than this installation accepts.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The `Content-Type` of the body is not one that the operation accepts.',
  },
  422: {
    name: 'Unprocessable',
    description:
      'The request is well formed but cannot be carried out: no provider serves it, the rate has changed, or the balance does not cover it.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'The limit of requests is reached. Send the request again after `Retry-After` seconds.',
  },
  500: {
    name: 'InternalError',
    description:
      'An unexpected error. It is unknown whether a write was done: repeat it with the same `Idempotency-Key`, which never does it twice. Report `request_id` to the operator.',
  },
  502: {
    name: 'ProvidersFailed',
    description:
      'Every provider that could carry out the request refused it or could not be reached. No money has moved; `payment_id` names the failed payment.',
  },
  503: {
    name: 'Unavailable',
    description:
      'A part of the service is not available. Repeat the request after `Retry-After` seconds, with the same `Idempotency-Key`.',
  },
}

/** Each kind of error body, and how the names of its components begin. */
const errorSchemas: Readonly<Record<string, string>> = {
  '#/components/schemas/Error': '',
  '#/components/schemas/InitiationError': 'Initiation',
}

const header = (name: string): object => ({ $ref: `#/components/headers/${name}` })
/** A refusal that the handler decided is stored for its key like a success; those before it and 5xx are not. */
const replayedStatuses = new Set(['400', '403', '404', '409', '422'])
const retriedStatuses = new Set(['429', '503'])

const headersOf = ({ mayReplay = false, hasRetryAfter = false }): Record<string, object> => ({
  'X-Request-Id': header('RequestId'),
  ...(mayReplay && { 'Idempotent-Replayed': header('IdempotentReplayed') }),
  ...(hasRetryAfter && { 'Retry-After': header('RetryAfter') }),
})

/** Gives every response its headers and a text, and describes each error once, as a component. */
export function describeResponses(document: Document): Document {
  const responses: Record<string, Response> = {}
  for (const named of operationsOf(document)) {
    const { operation } = named
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      const name = errorName(status, response)
      if (name !== undefined) {
        responses[name] ??= errorResponse(status, response)
        operation.responses = { ...operation.responses, [status]: { $ref: `#/components/responses/${name}` } }
      } else operation.responses = { ...operation.responses, [status]: ownResponse(named, status, response) }
    }
  }
  return { ...document, components: { ...document.components, responses } }
}

function errorName(status: string, response: Response): string | undefined {
  const prefix = errorSchemas[String(errorSchema(response)?.['$ref'])]
  const text = errorTexts[status]
  return prefix === undefined || text === undefined ? undefined : prefix + text.name
}

const isInitiationError = (response: Response): boolean =>
  errorSchema(response)?.['$ref'] === '#/components/schemas/InitiationError'

const errorSchema = ({ content = {} }: Response): JsonSchema | undefined => Object.values(content)[0]?.schema

/** Errors are JSON even where the success is a file. */
const errorResponse = (status: string, response: Response): Response => ({
  description: errorTexts[status]?.description ?? '',
  headers: headersOf({ mayReplay: replayedStatuses.has(status), hasRetryAfter: retriedStatuses.has(status) }),
  content: {
    'application/json': {
      schema: errorSchema(response) ?? {},
      example: errorExample(status, { isInitiation: isInitiationError(response) }),
    },
  },
})

const ownResponse = (named: NamedOperation, status: string, response: Response): Response => ({
  ...response,
  description: ownText(named, status, response),
  headers: headersOf({ mayReplay: named.method === 'post' && !isPublic(named.operation) }),
})
