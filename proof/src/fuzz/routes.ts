import type { Resolve, Schema } from './schema-values.ts'

type Parameter = { name: string; in: string; required?: boolean; schema?: Schema }

/** A route as the served OpenAPI document describes it. */
export type Route = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** The statuses that the document lists. */
  readonly statuses: ReadonlySet<string>
}

type Operation = {
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  responses?: Record<string, unknown>
}

export type OpenApi = {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

export const routesOf = ({ paths = {} }: OpenApi): Route[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content?.['application/json']?.schema,
      statuses: new Set(Object.keys(operation.responses ?? {})),
    })),
  )

export const resolverOf =
  ({ components }: OpenApi): Resolve =>
  (reference) => {
    const found = components?.schemas?.[reference.split('/').at(-1) ?? '']
    if (!found) throw new Error(`OpenAPI has no ${reference}`)
    return found
  }
