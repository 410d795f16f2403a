/** The parts of an OpenAPI 3.1 document that the passes over it read or write. */
export type JsonSchema = Record<string, unknown>

interface Content {
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, { summary: string; value: unknown }>
}

export interface Response {
  $ref?: string
  description?: string
  headers?: Record<string, object>
  content?: Record<string, Content>
}

interface Parameter {
  $ref?: string
  name?: string
  in?: string
}

export interface Operation {
  operationId?: string
  summary?: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content?: Record<string, Content> }
  responses?: Record<string, Response>
  [extension: `x-${string}`]: unknown
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    parameters?: Record<string, object>
    headers?: Record<string, object>
    responses?: Record<string, Response>
  }
}

export interface NamedOperation {
  method: string
  path: string
  operation: Operation
}

export const operationsOf = ({ paths }: Document): NamedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )

export const isPublic = ({ security }: Operation): boolean => security?.length === 0

export const propertyOf = (schema: JsonSchema | undefined, name: string): JsonSchema | undefined =>
  (schema?.['properties'] as Record<string, JsonSchema> | undefined)?.[name] // a map of schemas, by definition
