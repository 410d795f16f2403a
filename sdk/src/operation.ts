import { decimalText } from './decimal.ts'
import type { DecimalPaths } from './decimal-json.ts'
import type { CallOptions } from './options.ts'

/** How to call an API operation; the generated table has one entry for each. */
export interface Operation {
  id: string
  method: string
  /** For example `/v1/payments/{payment_id}`. */
  path: string
  /** The paths of decimals in the request body, in the query and in the whole response. */
  sends: DecimalPaths
  queryDecimals: readonly string[]
  /** Undefined if the shape of the response is not known. */
  receives: DecimalPaths | undefined
  /** The field of the response that holds the data; undefined if the response is the data. */
  envelope: string | undefined
  /** The name of a paged list's cursor, in the query and in `meta`. */
  cursor: string | undefined
}

/** The arguments of a call. */
export interface Input {
  path?: readonly string[]
  query?: object | undefined
  body?: unknown
  options?: CallOptions | undefined
}

/** Builds the path and the query. */
export function targetOf(operation: Operation, { path = [], query = {} }: Input): string {
  const names = operation.path.match(/\{\w+\}/g) ?? []
  let target = operation.path
  names.forEach((name, index) => (target = target.replace(name, () => segmentOf(name, path[index]))))
  const search = queryOf(operation, query)
  return search.size === 0 ? target : `${target}?${search.toString()}`
}

/** An empty id, `.` or `..` would change the path. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new TypeError(`${name.slice(1, -1)} is ${JSON.stringify(value)}, which is not an id`)
  return encodeURIComponent(value)
}

function queryOf(operation: Operation, query: object): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat())
      if (one !== undefined && one !== null) search.append(name, queryText(operation, name, one))
  return search
}

function queryText({ queryDecimals }: Operation, name: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (queryDecimals.includes(name) && (typeof value === 'string' || typeof value === 'number'))
    return decimalText(value, name)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  throw new TypeError(`${name} has a value that cannot be sent in a query`)
}
