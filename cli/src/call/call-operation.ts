import type { Pages, Switchyard } from '@switchyard/sdk'
import type { GeneratedCommand } from '../generated-command.ts'

/** The arguments of an operation, by their names in the API. */
export interface OperationInput {
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

type Method = (...args: unknown[]) => unknown

/** Calls the SDK's method for an operation. Every method takes path, body, query and options in this order. */
export function callOperation(
  client: Switchyard,
  command: Pick<GeneratedCommand, 'id' | 'query' | 'body' | 'answer'>,
  { path, query, body, idempotencyKey, signal }: OperationInput,
): unknown {
  const [resource = '', name = ''] = command.id.split('.')
  const resources = client as unknown as Record<string, Record<string, Method | undefined>> // the SDK has every resource as a property
  const methods = resources[resource]
  const method = methods?.[name]
  if (!method) throw new TypeError(`This version has no operation ${command.id}.`)
  const hasQuery = command.query.length > 0 || command.answer === 'page'
  return method.apply(methods, [
    ...path,
    ...(command.body ? [body] : []),
    ...(hasQuery ? [query] : []),
    { idempotencyKey, signal },
  ])
}

export const isPages = (result: unknown): result is Pages<unknown> =>
  typeof result === 'object' && result !== null && 'firstPage' in result
