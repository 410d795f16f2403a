/** The parts of an OpenAPI 3.1 document that the SDKs are made from. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  default?: unknown
  format?: string
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

export interface Parameter {
  $ref?: string
  name?: string
  in?: string
  required?: boolean
  description?: string
  schema?: Schema
}

type Content = Readonly<Record<string, { schema?: Schema }>>

export interface OperationObject {
  operationId?: string
  summary?: string
  description?: string
  deprecated?: boolean
  tags?: readonly string[]
  security?: readonly object[]
  parameters?: readonly Parameter[]
  requestBody?: { required?: boolean; content?: Content }
  responses?: Readonly<Record<string, { content?: Content }>>
  /** Of a paged list: the parameter that takes the cursor, and where the answer has the next one. */
  'x-switchyard-cursor'?: { parameter: string; field: string }
}

export interface OpenApiDocument {
  info: { title: string; version: string }
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  webhooks?: Readonly<Record<string, { post?: OperationObject }>>
  components: {
    schemas?: Readonly<Record<string, Schema>>
    parameters?: Readonly<Record<string, Parameter>>
  }
}
