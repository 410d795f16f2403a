import type { OpenApiDocument, OperationObject, Parameter, Schema } from './open-api.ts'
import { describeAnswer, type Answer } from './answer.ts'
import { decimalPaths, typeOf, type ApiType, type Field } from './types.ts'

/** What the SDKs and the command line are printed from: the API in its own words, free of any programming language. */
export interface ApiModel {
  readonly version: string
  readonly resources: readonly Resource[]
  /** The types that others refer to by name. */
  readonly types: ReadonlyMap<string, ApiType>
  /** The same for types in requests, where a decimal may also be a number and a choice is closed. */
  readonly inputTypes: ReadonlyMap<string, ApiType>
  readonly events: readonly EventModel[]
  readonly errors: readonly ErrorModel[]
}

export interface Resource {
  readonly name: string
  readonly methods: readonly Method[]
}

export interface Method {
  /** `payments.initiate`. */
  readonly id: string
  readonly resource: string
  readonly name: string
  readonly httpMethod: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string | undefined
  readonly isDeprecated: boolean
  /** Whether it needs no credential. */
  readonly isPublic: boolean
  readonly pathParameters: readonly Field[]
  readonly query: readonly Field[]
  readonly body: Body | undefined
  readonly answer: Answer
  readonly errorStatuses: readonly number[]
}

interface Body {
  readonly type: ApiType
  readonly isRequired: boolean
  readonly decimals: readonly string[]
  /** Whether the same can be sent as a CSV file. */
  readonly acceptsCsv: boolean
}

interface EventModel {
  /** `payment.completed`. */
  readonly eventType: string
  readonly typeName: string
  readonly description: string | undefined
  readonly type: ApiType
  readonly decimals: readonly string[]
}

export interface ErrorModel {
  readonly code: string
  readonly statuses: readonly number[]
  readonly meaning: string
}

const idPattern = /^([a-z][A-Za-z]*)\.([a-z][A-Za-z]*)$/

export function modelOf(document: OpenApiDocument, errors: readonly ErrorModel[]): ApiModel {
  const types = namedTypes(document, (name) => name)
  const inputTypes = namedTypes(document, inputName)
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([httpMethod, operation]) =>
      methodOf({ document, types, inputTypes }, { path, httpMethod, operation }),
    ),
  )
  const byResource = Map.groupBy(methods, ({ resource }) => resource)
  return {
    version: document.info.version,
    resources: [...byResource]
      .map(([name, own]) => ({ name, methods: own.toSorted((a, b) => a.name.localeCompare(b.name)) }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    types,
    inputTypes,
    events: eventsOf(document, types),
    errors,
  }
}

/** `SplitUpdate` is SplitUpdateInput in a request. */
const inputName = (name: string): string => (name.endsWith('Input') ? name : `${name}Input`)

const namedTypes = (document: OpenApiDocument, rename: (name: string) => string): Map<string, ApiType> =>
  new Map(
    Object.entries(document.components.schemas ?? {}).map(([name, schema]) => [
      rename(name),
      typeOf(schema, rename, name),
    ]),
  )

interface Context {
  readonly document: OpenApiDocument
  readonly types: ReadonlyMap<string, ApiType>
  readonly inputTypes: ReadonlyMap<string, ApiType>
}

interface Route {
  readonly path: string
  readonly httpMethod: string
  readonly operation: OperationObject
}

function methodOf(context: Context, { path, httpMethod, operation }: Route): Method {
  const route = `${httpMethod.toUpperCase()} ${path}`
  const [, resource, name] = idPattern.exec(operation.operationId ?? '') ?? []
  if (resource === undefined || name === undefined)
    throw new Error(`${route} has no operationId of the form resource.verb`)
  const parameters = (operation.parameters ?? []).map((one) => resolved(context.document, one))
  const at = (place: string): Field[] =>
    parameters.filter((one) => one.in === place).map((one) => fieldOf(one, `${route} ${one.name}`))
  return {
    id: `${resource}.${name}`,
    resource,
    name,
    httpMethod: httpMethod.toUpperCase(),
    path,
    tag: operation.tags?.[0] ?? resource,
    summary: operation.summary ?? '',
    description: operation.description,
    isDeprecated: operation.deprecated === true,
    isPublic: operation.security?.length === 0,
    pathParameters: inOrderOf(path, at('path')),
    query: at('query'),
    body: bodyOf(context, operation, route),
    answer: describeAnswer(operation, context.types, route),
    errorStatuses: Object.keys(operation.responses ?? {})
      .map(Number)
      .filter((status) => status >= 400),
  }
}

function resolved(document: OpenApiDocument, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter
  const found = document.components.parameters?.[parameter.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`the document has no ${parameter.$ref}`)
  return found
}

const fieldOf = ({ name = '', schema = {}, ...more }: Parameter, where: string): Field => ({
  name,
  type: isFlag(schema) ? { kind: 'boolean' } : typeOf(schema, inputName, where),
  isRequired: more.required === true,
  description: more.description ?? schema.description,
})

/** A query has only text, so the document describes a flag as `true` and `false`, or by its default. */
const isFlag = ({ enum: values = [], default: usual }: Schema): boolean =>
  typeof usual === 'boolean' || (values.length === 2 && values.includes('true') && values.includes('false'))

const inOrderOf = (path: string, fields: readonly Field[]): Field[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const field = fields.find((one) => one.name === name)
    if (!field) throw new Error(`${path} does not describe its parameter ${name}`)
    return field
  })

function bodyOf({ inputTypes }: Context, { requestBody }: OperationObject, route: string): Body | undefined {
  const schema: Schema | undefined = requestBody?.content?.['application/json']?.schema
  if (!schema) return undefined
  const type = typeOf(schema, inputName, `${route} body`)
  return {
    type,
    isRequired: requestBody?.required === true,
    decimals: decimalPaths(type, inputTypes),
    acceptsCsv: requestBody?.content?.['text/csv'] !== undefined,
  }
}

const eventsOf = (document: OpenApiDocument, types: ReadonlyMap<string, ApiType>): EventModel[] =>
  Object.entries(document.webhooks ?? {}).map(([eventType, { post }]) => {
    const schema = post?.requestBody?.content?.['application/json']?.schema ?? {}
    const typeName = schema.$ref?.split('/').at(-1)
    if (typeName === undefined) throw new Error(`the webhook ${eventType} does not refer to a component`)
    const type = types.get(typeName) ?? { kind: 'unknown' }
    return { eventType, typeName, description: post?.description, type, decimals: decimalPaths(type, types) }
  })
